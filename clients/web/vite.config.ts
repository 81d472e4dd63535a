import { defineConfig } from "vitest/config";

const EDGE = "http://localhost:8080";
/** The edge knows by such a hash that a browser may keep the file for good. */
const HASHED = "assets/[name]-[hash:16][extname]";

export default defineConfig({
  // Relative, so that the page works under whatever path it is served.
  base: "./",
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        assetFileNames: HASHED,
        chunkFileNames: HASHED.replace("[extname]", ".js"),
        entryFileNames: HASHED.replace("[extname]", ".js"),
        hashCharacters: "hex",
      },
    },
  },
  // `npm run dev` sends the calls to an edge that `make run` has started.
  server: { proxy: { "/monsters.": EDGE } },
  test: { include: ["test/*.test.ts"] },
});
