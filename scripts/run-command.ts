import { ConfigError } from "#server/config/values.ts";

/** Runs a command, and prints what it answers. What goes wrong is said in a sentence. */
export async function runCommand(run: () => Promise<string>): Promise<void> {
  try {
    console.log(await run());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error instanceof ConfigError ? `The configuration is wrong:\n${error.message}` : error.message);
    process.exitCode = 1;
  }
}
