import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";

/** The real server in its own process. It prints the address on which it listens. */
const running = await startServer(readConfig(process.env), { print: () => {} });
process.once("SIGTERM", () => running.close().then(() => process.exit(0)));
console.log(running.apiUrl);
