import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../problem.ts";

/** A picture that takes this long is no picture (milliseconds). */
const patienceMs = 10_000;
/** Width and height, in pixels. */
const side = 256;

/** Pictures of people: `<data>/avatars/<name>.webp`, drawn anew, so that nothing else that a file holds (place, time, scripts) is kept. */
export interface Avatars {
  /** @returns its name, which nobody can guess. @throws Problem `badRequest` for what is no picture, `engineUnavailable` */
  keep(picture: Uint8Array): Promise<string>;
  /** undefined when there is none of this name. */
  read(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
}

/** @param dataDir absolute */
export function openAvatars(dataDir: string): Avatars {
  const folder = join(dataDir, "avatars");
  const path = (name: string) => join(folder, `${name}.webp`);
  return {
    keep: async (picture) => {
      const drawn = await draw(picture);
      const name = randomUUID();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path(name), drawn, { mode: 0o600, flush: true });
      return name;
    },
    read: async (name) => (/^[\da-f-]{36}$/.test(name) ? readFile(path(name)).catch(() => undefined) : undefined),
    remove: (name) => rm(path(name), { force: true }),
  };
}

/** One frame, cut to a square, as WebP without metadata. ffmpeg may read what it is given and nothing else. */
function draw(picture: Uint8Array): Promise<Buffer> {
  const crop = `crop='min(iw,ih)':'min(iw,ih)',scale=${side}:${side}:flags=lanczos`;
  const input = ["-protocol_whitelist", "pipe", "-f", "image2pipe", "-i", "pipe:0"];
  const output = [
    "-frames:v",
    "1",
    "-vf",
    crop,
    "-map_metadata",
    "-1",
    "-c:v",
    "libwebp",
    "-quality",
    "85",
    "-f",
    "webp",
    "pipe:1",
  ];
  return new Promise((resolve, reject) => {
    const child = spawn("ffmpeg", ["-hide_banner", "-loglevel", "error", ...input, ...output], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: patienceMs,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", (cause) => reject(new Problem("engineUnavailable", "ffmpeg is needed for pictures.", { cause })));
    child.once("close", (code) => {
      if (code === 0 && chunks.length > 0) resolve(Buffer.concat(chunks));
      else reject(new Problem("badRequest", "This is no picture that can be read."));
    });
    // It may end before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(picture);
  });
}
