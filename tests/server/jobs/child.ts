import { flushCompileCache } from "node:module";
import { readConfig } from "#server/config/config.ts";
import { endOnSignals } from "#server/processes/end-on-signals.ts";
import { startWorkerProcess } from "#server/processes/worker-process.ts";
import { startServer } from "#server/start.ts";
import { quickPasswords } from "#tests/server/quick-passwords.ts";
import { childParts } from "./child-engine.ts";

/** Starts a server, or a worker, in its own process, which a test can kill. Prints the address when it is ready. */
async function start(): Promise<{ ready: string; close(): Promise<void> }> {
  const config = readConfig(process.env);
  const parts = childParts();
  if (config.role === "worker") return { ready: "worker", close: (await startWorkerProcess(config, parts)).close };
  const more = { passwords: quickPasswords, print: () => {}, liveTimes: { syncMs: 0 } };
  const { apiUrl, close } = await startServer(config, { ...parts, ...more });
  return { ready: apiUrl, close };
}

const running = await start();
endOnSignals(running);
// Flushed now, because this process will be killed.
flushCompileCache();
console.log(running.ready);
