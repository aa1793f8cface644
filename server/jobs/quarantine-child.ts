import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { safeParse } from "valibot";
import { FromQuarantine, type ToQuarantine } from "./quarantine-messages.ts";
import { workerPrefix } from "./worker-name.ts";

/** Time until the process's first message (milliseconds): it loads the engines first. */
const startMs = 60_000;
/** Time to release its job after being asked to exit (milliseconds). */
const closeMs = 5_000;

/** The exit code of a process that ends because the database does not answer: what it was running is not the cause. */
export const databaseGone = 75;

/** Signals that a process does not get by its own doing: somebody has sent them. */
const sentSignals: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/**
 * How the process has ended. `released`: it had let go of its job before. `crashed`: by itself (a signal of the processor, an exit code,
 * no sign of life, or no memory left). `killed`: from outside, for whatever reason.
 */
export interface Ending {
  kind: "released" | "crashed" | "killed";
  /** "SIGSEGV", "code 1", … */
  reason: string;
}

export interface QuarantineChild {
  /** The prefix of its workers' names. */
  prefix: string;
  ended: Promise<Ending>;
  say(message: ToQuarantine): void;
  close(): Promise<void>;
}

export interface Watch {
  /** A process without a message for this long hangs, and is killed (milliseconds). */
  silentMs: number;
  /** Called with what the process has changed in the database. */
  onChange(change: Exclude<FromQuarantine, "alive">): void;
}

export function startQuarantineChild(program: string, { silentMs, onChange }: Watch): QuarantineChild {
  // The inspector's port and a test runner's loader must not be inherited.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const killsBefore = countMemoryKills();
  const child: ChildProcess = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, String(process.pid)], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let failure: string | undefined;
  let isSilent = false;
  const silenced = () => {
    isSilent = true;
    child.kill("SIGKILL");
  };
  // Node's timers pause while the machine sleeps: a process that was suspended with it is not considered dead.
  let silence = setTimeout(silenced, startMs);
  child.on("message", (message) => {
    clearTimeout(silence);
    // What it said last may be read after its end.
    if (child.exitCode === null && child.signalCode === null) silence = setTimeout(silenced, silentMs);
    const { success, output } = safeParse(FromQuarantine, message);
    if (success && output !== "alive") onChange(output);
  });
  child.on("error", (error) => {
    failure = error.message;
  });
  const end = async (): Promise<Ending> => {
    // Not "close", which never comes once the channel was closed from this side.
    await once(child, "exit").catch(() => undefined);
    clearTimeout(silence);
    const { signalCode, exitCode } = child;
    if (failure !== undefined) return { kind: "killed", reason: failure };
    if (isSilent) return { kind: "crashed", reason: "no sign of life" };
    if (signalCode === null && exitCode === 0) return { kind: "released", reason: "" };
    if (signalCode === null) return { kind: exitCode === databaseGone ? "killed" : "crashed", reason: `code ${exitCode}` };
    if (!sentSignals.has(signalCode)) return { kind: "crashed", reason: signalCode };
    const [before, after] = await Promise.all([killsBefore, countMemoryKills()]);
    const isOutOfMemory = signalCode === "SIGKILL" && before !== undefined && after !== undefined && after > before;
    return isOutOfMemory ? { kind: "crashed", reason: "out of memory" } : { kind: "killed", reason: signalCode };
  };
  const ended = end();
  return {
    prefix: workerPrefix(child.pid ?? -1),
    ended,
    say: (message) => {
      // The process may be exiting: then no message is needed.
      if (child.connected) child.send(message, () => undefined);
    },
    close: async () => {
      if (child.connected) child.disconnect();
      const late = setTimeout(() => child.kill("SIGKILL"), closeMs);
      await ended;
      clearTimeout(late);
    },
  };
}

/** How many processes the kernel has killed to have memory again; undefined where it does not say (other than Linux). */
async function countMemoryKills(): Promise<number | undefined> {
  const counters = await readFile("/proc/vmstat", "utf8").catch(() => "");
  const found = /^oom_kill (\d+)$/m.exec(counters)?.[1];
  return found === undefined ? undefined : Number(found);
}
