import { ConfigError } from "#server/config/values.ts";

/** Runs a command, and prints its result. Errors are printed as sentences. */
export async function runCommand(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error instanceof ConfigError ? `The configuration is invalid:\n${error.message}` : error.message);
    process.exitCode = 1;
  }
}
