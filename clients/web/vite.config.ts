import { defineConfig } from "vitest/config";

const EDGE = "http://localhost:8080";

export default defineConfig({
  // Relative, so that the page works under whatever path it is served.
  base: "./",
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // `npm run dev` sends the calls to an edge that `make run` has started.
  server: { proxy: { "/monsters.": EDGE } },
  test: { include: ["test/*.test.ts"] },
});
