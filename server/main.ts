import { parseArgs } from "node:util";
import { errorCodeOf } from "./common/problem.ts";
import { ConfigError, readConfig } from "./config.ts";
import { endOnSignals } from "./end-on-signals.ts";
import { type Running, startServer } from "./start.ts";

/** Exits with a one-line error message. */
function refuse(error: unknown): never {
  if (error instanceof ConfigError) console.error(`Parlance can't start with this configuration:\n${error.message}`);
  else if (errorCodeOf(error) === "EADDRINUSE") {
    const port = error instanceof Error && "port" in error ? String(error.port) : "";
    console.error(`Parlance can't start: port ${port} is taken. End what uses it, or set PORT or WEB_PORT.`);
  } else {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
    console.error(`Parlance can't start: ${error instanceof Error ? error.message : String(error)}${cause}`);
  }
  process.exit(1);
}

async function start(): Promise<Running> {
  try {
    // `npm start -- --demo` is the only option.
    const { values } = parseArgs({ options: { demo: { type: "boolean", default: false } } });
    return await startServer(readConfig(process.env), values);
  } catch (error) {
    return refuse(error);
  }
}

// Files created by this process and its children are private to this user.
process.umask(0o077);
const running = await start();
console.log(`Parlance is ready: ${running.pageUrl}`);

endOnSignals(running);
