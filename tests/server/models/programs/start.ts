import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { onTestFinished } from "vitest";
import type { InstallationState } from "#contract/index.ts";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { type InstallOrder, InstallReport } from "./protocol.ts";

const program = fileURLToPath(new URL("./install.ts", import.meta.url));

type Ended = Extract<InstallReport, { type: "ended" }>;

/** A process that installs a model (install.ts). */
export interface Installing {
  /** Resolves when the installation has reached this state. */
  reached(state: InstallationState): Promise<void>;
  ended(): Promise<Ended>;
  say(command: string): void;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

interface StartOptions {
  /** A command that runs the program given as its last arguments. */
  within?: readonly string[];
  env?: Record<string, string>;
}

/** Starts the process, waits until it is ready and kills it after the test. */
export async function startInstalling(order: InstallOrder, { within = [], env = {} }: StartOptions = {}): Promise<Installing> {
  const own = [process.execPath, "--disable-warning=ExperimentalWarning", program, JSON.stringify(order)];
  const [command = process.execPath, ...args] = [...within, ...own];
  const child = spawn(command, args, { env: { ...childEnv(), ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const reports: InstallReport[] = [];
  let complaint = "";
  let wake = () => {};
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    reports.push(v.parse(v.pipe(v.string(), v.parseJson(), InstallReport), line));
    wake();
  });
  const closed = once(child, "close").finally(() => wake());
  const kill = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(kill);
  const found = async (isIt: (report: InstallReport) => boolean): Promise<InstallReport> => {
    for (;;) {
      const at = reports.findIndex(isIt);
      const report = reports[at];
      if (report !== undefined) {
        reports.splice(0, at + 1);
        return report;
      }
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It has ended. ${complaint}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  await found(({ type }) => type === "ready");
  return {
    reached: async (state) => void (await found((report) => report.type === "state" && report.state === state)),
    ended: async () => {
      const report = await found(({ type }) => type === "ended");
      if (report.type !== "ended") throw new Error("That is another report.");
      return report;
    },
    say: (command) => child.stdin.write(`${command}\n`),
    kill,
  };
}
