import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { nextMessage } from "#tests/fixtures/next-message.ts";
import { createDatabase, databaseEnv, onPostgres } from "./database.ts";

const Ready = v.object({ apiUrl: v.string(), pageUrl: v.string() });
const Held = v.object({ cpuMs: v.number(), delayMs: v.number(), residentMb: v.number() });
/** How long the event loop was held at most (see watched-child.ts), and the memory of the process. */
type Held = v.InferOutput<typeof Held>;

export interface Watched {
  apiUrl: string;
  pageUrl: string;
  pid: number;
  /** Measurements since the last call. */
  held(): Promise<Held>;
  close(): Promise<void>;
}

/**
 * Starts the real server in its own process, which measures how long its event loop is held. @param options scripted
 * engines by default
 */
export async function startWatched(
  dataDir: string,
  { hasRealEngines = false, env: own = {} }: { hasRealEngines?: boolean; env?: Record<string, string> } = {},
): Promise<Watched> {
  if (onPostgres) await createDatabase(dataDir);
  const program = fileURLToPath(new URL("./watched-child.ts", import.meta.url));
  const env = {
    ...process.env,
    PORT: "0",
    WEB_PORT: "0",
    PARLANCE_DATA: dataDir,
    ...databaseEnv(dataDir),
    LOG_LEVEL: "error",
    ...own,
  };
  const child = fork(program, hasRealEngines ? ["real"] : [], { env, execArgv: ["--disable-warning=ExperimentalWarning"] });
  const { apiUrl, pageUrl } = v.parse(Ready, await nextMessage(child));
  return {
    apiUrl,
    pageUrl,
    pid: child.pid ?? 0,
    held: async () => {
      child.send("held");
      return v.parse(Held, await nextMessage(child));
    },
    close: async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
