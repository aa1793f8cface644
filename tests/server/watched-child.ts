import { monitorEventLoopDelay } from "node:perf_hooks";
import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";
import { tickMs, watchEventLoop } from "./event-loop-watch.ts";
import { scriptedEngines, scriptedTranslation } from "./jobs/scripted.ts";

/**
 * A server in a process of its own that watches its own event loop (tests/server/watched.ts). `cpuMs` is the most processor time that the
 * main thread took between two turns of a timer: how long it held the loop, whatever else the machine is doing. `delayMs` is what a
 * caller would have waited, with everything else that the machine was doing.
 */
const delay = monitorEventLoopDelay({ resolution: tickMs });

const engines = process.argv[2] === "real" ? {} : { engines: scriptedEngines(), translation: scriptedTranslation() };
const running = await startServer(readConfig(process.env), { ...engines, print: () => {} });
const watch = watchEventLoop();
delay.enable();
process.on("message", () => {
  // The turn that is being counted belongs to it.
  setTimeout(() => {
    process.send?.({ cpuMs: watch.read(), delayMs: delay.max / 1e6, residentMb: process.memoryUsage().rss / 2 ** 20 });
    delay.reset();
  }, tickMs * 5);
});
process.send?.({ apiUrl: running.apiUrl, pageUrl: running.pageUrl });
