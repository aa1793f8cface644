import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findExecutable, installCommand } from "#scripts/tools.mjs";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** Milliseconds. */
const startLimit = timeLimit(30_000);

/** A sound card that this machine has not got: loudspeakers that nobody hears, and a microphone into which files speak. */
export interface SoundCard extends AsyncDisposable {
  /** What a program is given so that it finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Speaks a sound file into the microphone, at its own pace. @returns once it has been said */
  say(path: string): Promise<void>;
}

/** The null sink keeps the time that a card would; a source of its own, as browsers don't offer what only listens to loudspeakers. */
const modules = (socket: string) => [
  `load-module module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
  "load-module module-null-sink sink_name=loudspeakers",
  "load-module module-null-sink sink_name=mouth",
  "load-module module-remap-source source_name=microphone master=mouth.monitor",
  "set-default-sink loudspeakers",
  "set-default-source microphone",
];

/**
 * Starts a sound server of this test's own (PulseAudio). Without a sound card Firefox refuses to play at all, as there is nothing to
 * play on: what is seen then is true of that machine, not of the page.
 * @throws Error that says how to install it
 */
export async function startSound(): Promise<SoundCard> {
  const program = findExecutable("pulseaudio");
  if (program === undefined) throw new Error(`PulseAudio is missing. Install it: ${installCommand(["pulseaudio"])}`);
  const folder = await makeTemporaryFolder();
  const socket = join(folder, "sound");
  const script = join(folder, "sound.pa");
  await writeFile(script, `${modules(socket).join("\n")}\n`);
  const lines: string[] = [];
  const child = spawn(program, ["-n", "-F", script, "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no"], {
    env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.on("data", (data) => lines.push(String(data)));
  const server = `unix:${socket}`;
  try {
    await answers(child, socket);
  } catch (cause) {
    await end(child);
    throw new Error(`PulseAudio did not start. It said:\n${lines.join("")}`, { cause });
  }
  return {
    env: { PULSE_SERVER: server, XDG_RUNTIME_DIR: folder },
    say: async (path) => {
      // At its own pace, not as fast as it can be read.
      const to = ["-f", "pulse", "-server", server, "-device", "mouth", "walk"];
      const speaking = spawn("ffmpeg", ["-v", "error", "-re", "-i", path, ...to], { stdio: ["ignore", "inherit", "inherit"] });
      const [code] = await once(speaking, "exit");
      if (code !== 0) throw new Error(`ffmpeg could not speak ${path}: ${code}`);
    },
    [Symbol.asyncDispose]: async () => {
      await end(child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Waits until somebody listens at the socket. */
async function answers(child: ChildProcess, socket: string): Promise<void> {
  const until = performance.now() + startLimit;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    const client = connect(socket);
    try {
      await once(client, "connect");
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(20);
    } finally {
      client.destroy();
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
