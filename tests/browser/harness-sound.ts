import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findExecutable, installCommand } from "#scripts/tools.mjs";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** Timeout in ms. */
const startLimit = timeLimit(30_000);

/** A simulated sound card: silent loudspeakers, and a microphone that plays files. */
export interface SoundCard extends AsyncDisposable {
  /** Variables by which a program finds it. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Plays a sound file into the microphone in real time.
   * @returns after the end of the file
   */
  say(path: string): Promise<void>;
}

/**
 * The null sink keeps real time like a sound card. The microphone is a separate source, because browsers don't offer
 * monitors of loudspeakers.
 */
const modules = (socket: string) => [
  `load-module module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
  "load-module module-null-sink sink_name=loudspeakers",
  "load-module module-null-sink sink_name=mouth",
  "load-module module-remap-source source_name=microphone master=mouth.monitor",
  "set-default-sink loudspeakers",
  "set-default-source microphone",
];

/**
 * Starts a sound server (PulseAudio) for this test. Without a sound card Firefox refuses to play at all, so the test
 * would check the machine instead of the page.
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
      // `-re` plays in real time instead of as fast as possible.
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

/** Waits until a server listens at the socket. */
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
