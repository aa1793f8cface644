import { readdirSync } from "node:fs";
import { join } from "node:path";

// An outage of the network in each state of every machine (WALKS in vitest.config.ts).
const folder = join(import.meta.dirname, "../../paths");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
// complete.test.ts checks that every machine has its path test.
for (const file of files.toSorted()) if (file !== "complete.test.ts") await import(join(folder, file));
