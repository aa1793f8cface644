import { parseArgs } from "node:util";
import { errorCodeOf } from "./common/problem.ts";
import { ConfigError, readConfig } from "./config.ts";
import { type Running, startServer } from "./start.ts";

/** Ends the process with one line that says what is wrong. */
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
    // `npm start -- --demo` is the only option that there is.
    const { values } = parseArgs({ options: { demo: { type: "boolean", default: false } } });
    return await startServer(readConfig(process.env), values);
  } catch (error) {
    return refuse(error);
  }
}

// Whatever this process and those that it starts write is this user's alone.
process.umask(0o077);
const running = await start();
console.log(`Parlance is ready: ${running.pageUrl}`);

let ending = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second Ctrl-C is impatience.
    if (ending) process.exit(130);
    ending = true;
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
