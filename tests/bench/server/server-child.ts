import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";

/** The real server in a process of its own; prints the address that it really listens on. */
const running = await startServer(readConfig(process.env), { print: () => {} });
process.once("SIGTERM", () => running.close().then(() => process.exit(0)));
console.log(running.apiUrl);
