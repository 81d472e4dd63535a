import { defineConfig } from "vitest/config";

const EDGE = "http://localhost:8080";
/** The edge knows by such a hash, in hexadecimal, that a browser may keep the file for good. */
const SCRIPT = "assets/[name]-[hash:16].js";
const output = {
  assetFileNames: "assets/[name]-[hash:16][extname]",
  chunkFileNames: SCRIPT,
  entryFileNames: SCRIPT,
  hashCharacters: "hex",
} as const;

export default defineConfig({
  // Relative, so that the page works under whatever path it is served.
  base: "./",
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { output },
  },
  worker: { format: "es", rollupOptions: { output } },
  // `npm run dev` sends the calls to an edge that `make run` has started.
  server: { proxy: { "/monsters.": EDGE } },
  test: { include: ["test/*.test.ts"] },
});
