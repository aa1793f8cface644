import { monitorEventLoopDelay } from "node:perf_hooks";
import { readConfig } from "#server/config.ts";
import { startServer } from "#server/start.ts";
import { scriptedEngines, scriptedTranslation } from "./jobs/scripted.ts";

/**
 * A server in a process of its own that watches its own event loop (tests/server/watched.ts). `cpuMs` is the most processor time that the
 * main thread took between two turns of a timer: how long it held the loop, whatever else the machine is doing. `delayMs` is what a
 * caller would have waited, with everything else that the machine was doing.
 */
const tickMs = 2;
const delay = monitorEventLoopDelay({ resolution: tickMs });
let before = process.threadCpuUsage();
let maxMs = 0;

const running = await startServer(readConfig(process.env), {
  engines: scriptedEngines(),
  translation: scriptedTranslation(),
  print: () => {},
});
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  maxMs = Math.max(maxMs, (user + system) / 1000);
}, tickMs);
delay.enable();
process.on("message", () => {
  // The turn that is being counted belongs to it.
  setTimeout(() => {
    process.send?.({ cpuMs: maxMs, delayMs: delay.max / 1e6, residentMb: process.memoryUsage().rss / 2 ** 20 });
    maxMs = 0;
    delay.reset();
  }, tickMs * 5);
});
process.send?.({ apiUrl: running.apiUrl, pageUrl: running.pageUrl });
