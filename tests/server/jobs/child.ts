import { readConfig } from "#server/config.ts";
import { startServer } from "#server/start.ts";
import { childParts } from "./child-engine.ts";

/** A server in a process of its own that a test can kill. Prints its address when it is ready. */
const running = await startServer(readConfig(process.env), {
  ...childParts(false),
  print: () => {},
  liveTimes: { syncMs: 0 },
});
console.log(running.apiUrl);
