import { parseArgs } from "node:util";
import { readConfig } from "./config/config.ts";
import { ConfigError } from "./config/values.ts";
import { errorCodeOf } from "./errors/problem.ts";
import { endOnSignals } from "./processes/end-on-signals.ts";
import { startWorkerProcess } from "./processes/worker-process.ts";
import { startServer } from "./start.ts";

/** Exits with a one-line error message. */
function refuse(error: unknown): never {
  if (error instanceof ConfigError) console.error(`Parlance can't start with this configuration:\n${error.message}`);
  else if (errorCodeOf(error) === "EADDRINUSE") {
    const port = error instanceof Error && "port" in error ? String(error.port) : "";
    console.error(
      `Parlance can't start: port ${port} is already in use. Stop the program that uses it, or set PORT or WEB_PORT.`,
    );
  } else {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
    console.error(`Parlance can't start: ${error instanceof Error ? error.message : String(error)}${cause}`);
  }
  process.exit(1);
}

interface Started {
  ready: string;
  close(): Promise<void>;
}

async function start(): Promise<Started> {
  try {
    // `npm start -- --demo`, and `npm run worker`.
    const { values } = parseArgs({
      options: { demo: { type: "boolean", default: false }, worker: { type: "boolean", default: false } },
    });
    const config = readConfig(process.env);
    if (values.worker || config.role === "worker") {
      const { close } = await startWorkerProcess(config);
      return { ready: "Parlance's worker is ready.", close };
    }
    const { pageUrl, close } = await startServer(config, { demo: values.demo });
    return { ready: `Parlance is ready: ${pageUrl}`, close };
  } catch (error) {
    return refuse(error);
  }
}

// Files created by this process and its children are private to this user.
process.umask(0o077);
const running = await start();
// Before the message: a program that waits for that line may end the server at once.
endOnSignals(running);
console.log(running.ready);
