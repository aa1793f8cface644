import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createAccessTokens } from "#server/session/access-tokens.ts";
import { configuredKeys } from "#server/session/signing-keys.ts";
import type { SignedIn } from "./fill.ts";

const secret = "a secret for this bench alone, and long enough";

export interface Launched {
  url: string;
  child: ChildProcess;
}

/** Starts the real server on a data folder, in its own process. */
export function launchProduct(dataDir: string): Promise<Launched> {
  const env = { PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir, JWT_SECRET: secret, LOG_LEVEL: "error" };
  return launch("../server/server-child.ts", [], env);
}

/** Starts a bare handler of the same framework with one prepared query. */
export function launchBare(dataDir: string): Promise<Launched> {
  return launch("./bare-child.ts", [dataDir], {});
}

/** @returns the address, which is the first line that the program prints */
async function launch(program: string, args: string[], env: Record<string, string>): Promise<Launched> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) return { url: line, child };
  throw new Error(`${program} ended before it listened.`);
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The headers for requests of these people to the launched server. */
export async function headersOf(all: readonly SignedIn[]): Promise<Record<string, string>[]> {
  const tokens = createAccessTokens(configuredKeys([secret]), Date.now);
  const signed = all.map(({ id, sessionId, email }) => tokens.sign({ sub: id, sid: sessionId, email }));
  return (await Promise.all(signed)).map((token) => ({ Authorization: `Bearer ${token}` }));
}
