import { flushCompileCache } from "node:module";
import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";
import { scriptedEngines, scriptedTranslation } from "#tests/server/jobs/scripted.ts";
import { quickPasswords } from "#tests/server/quick-passwords.ts";

/** A server of a topology whose engines are scripted (harness-topology.ts). Prints its addresses when it is ready. */
process.umask(0o077);
const running = await startServer(readConfig(process.env), {
  engines: scriptedEngines(),
  translation: scriptedTranslation(),
  passwords: quickPasswords,
  print: () => {},
});
// Now, since this process may be killed.
flushCompileCache();
console.log(`ready ${running.apiUrl} ${running.pageUrl}`);
process.once("SIGTERM", () => {
  running.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
