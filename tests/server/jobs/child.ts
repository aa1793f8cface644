import { flushCompileCache } from "node:module";
import { readConfig } from "#server/config.ts";
import { endOnSignals } from "#server/end-on-signals.ts";
import { startServer } from "#server/start.ts";
import { quickPasswords } from "#tests/server/quick-passwords.ts";
import { childParts } from "./child-engine.ts";

/** A server in a process of its own that a test can kill. Prints its address when it is ready. */
const running = await startServer(readConfig(process.env), {
  ...childParts(false),
  passwords: quickPasswords,
  print: () => {},
  liveTimes: { syncMs: 0 },
});
endOnSignals(running);
// Now, since this process is killed.
flushCompileCache();
console.log(running.apiUrl);
