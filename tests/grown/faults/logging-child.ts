// Logs each line of its standard input, and confirms it on standard output.
import { createInterface } from "node:readline";
import { createLog } from "#server/log/log.ts";

const log = createLog("info", Date.now);
for await (const line of createInterface({ input: process.stdin })) {
  log.info(line);
  process.stdout.write(`${line}\n`);
}
