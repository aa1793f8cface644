import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { VideoAnswer } from "#contract/index.ts";
import { base, eventually, type Person, read, settled, temporaryFolder, upload } from "#tests/server/harness.ts";

const run = promisify(execFile);

/** Runs ffmpeg with these arguments. @returns the bytes of its output file `name` */
export async function made(name: string, args: readonly string[]): Promise<Buffer<ArrayBuffer>> {
  const path = join(await temporaryFolder(), name);
  await run("ffmpeg", ["-loglevel", "error", ...args, path]);
  return Buffer.from(await readFile(path));
}

/** A plain blue picture and a tone of this length. */
export const clip = (seconds = 2, size = "320x180", rate = 5): string[] => [
  ...["-f", "lavfi", "-i", `color=c=0x1d3b53:s=${size}:r=${rate}:d=${seconds}`],
  ...["-f", "lavfi", "-i", `sine=d=${seconds}:r=16000`],
  "-shortest",
];
export const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

export const ask = async (person: Person, id: string): Promise<VideoAnswer> =>
  read(await person.call("GET", `${base}/transcription/${id}/video`), 200, VideoAnswer);

/** Uploads a video and waits for its text. @returns the transcription's id */
export async function sent(person: Person, bytes: Buffer<ArrayBuffer>, name: string, type = ""): Promise<string> {
  const { id } = JSON.parse(await (await upload(person, bytes, { name, type })).text());
  await settled(person, String(id));
  return String(id);
}

/** Waits until a picture is ready or finally missing. */
export async function pictured(person: Person, id: string): Promise<VideoAnswer["picture"]> {
  const answer = await eventually(
    () => ask(person, id),
    ({ picture }) => picture.state !== "waiting" && picture.state !== "making",
  );
  return answer.picture;
}

/** Waits until the video with captions is ready or finally missing. */
export async function captioned(person: Person, id: string): Promise<VideoAnswer["captioned"]> {
  const answer = await eventually(
    () => ask(person, id),
    ({ captioned: video }) => video?.state !== "waiting" && video?.state !== "making",
  );
  return answer.captioned;
}

export const pathOf = (id: string, kind: "picture" | "captioned"): string => `${base}/transcription/${id}/audio/${kind}`;

/** ffprobe's description of a file's streams: "h264 320x180", "aac". */
export async function streamsOf(bytes: Uint8Array): Promise<string[]> {
  const path = join(await temporaryFolder(), "probed");
  await writeFile(path, bytes);
  const show = ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"];
  const { stdout } = await run("ffprobe", [...show, path]);
  return stdout.trim().split(/\r?\n/);
}

/** The gray values of the picture at a second, row by row. */
export async function rowsAt(bytes: Uint8Array, seconds: number, width: number): Promise<Buffer[]> {
  const path = join(await temporaryFolder(), "shown");
  await writeFile(path, bytes);
  const frame = ["-ss", String(seconds), "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "pipe:1"];
  const { stdout } = await run("ffmpeg", ["-loglevel", "error", ...frame], { encoding: "buffer", maxBuffer: 64 * 1024 * 1024 });
  return Array.from({ length: stdout.length / width }, (_, row) => stdout.subarray(row * width, (row + 1) * width));
}
