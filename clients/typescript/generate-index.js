/** Writes src/gen/index.ts: every file of the contract that was generated, by its descriptor. */

import { readdirSync, writeFileSync } from "node:fs";

const GEN = new URL("src/gen/", import.meta.url);
const END = "_pb.ts";

const lines = readdirSync(GEN, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.startsWith("monsters/") && path.endsWith(END))
  .sort()
  .map((path) => {
    const stem = path.slice(0, -END.length);
    return `export { file_${stem.replaceAll("/", "_")} } from "./${stem}_pb.js";\n`;
  });
writeFileSync(new URL("index.ts", GEN), lines.join(""));
