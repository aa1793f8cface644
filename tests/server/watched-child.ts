import { monitorEventLoopDelay } from "node:perf_hooks";
import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";
import { tickMs, watchEventLoop } from "./event-loop-watch.ts";
import { scriptedEngines, scriptedTranslation } from "./jobs/scripted.ts";

/**
 * A server in its own process that watches its own event loop (tests/server/watched.ts). `cpuMs` is the highest
 * processor time of the main thread between two timer ticks: how long the thread held the loop, regardless of the
 * machine's other load. `delayMs` is a caller's longest wait, including the machine's other load.
 */
const delay = monitorEventLoopDelay({ resolution: tickMs });

const engines = process.argv[2] === "real" ? {} : { engines: scriptedEngines(), translation: scriptedTranslation() };
const running = await startServer(readConfig(process.env), { ...engines, print: () => {} });
const watch = watchEventLoop();
delay.enable();
process.on("message", () => {
  // Waits so that the current tick is included.
  setTimeout(() => {
    process.send?.({ cpuMs: watch.read(), delayMs: delay.max / 1e6, residentMb: process.memoryUsage().rss / 2 ** 20 });
    delay.reset();
  }, tickMs * 5);
});
process.send?.({ apiUrl: running.apiUrl, pageUrl: running.pageUrl });
