import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { soundTracksIn } from "#src/features/uploads/sound-tracks.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

const run = promisify(execFile);
const never = new AbortController().signal;

/** A file with two audio tracks; the second one is the default. */
async function twoTracks(name: string, codec: string, title = ""): Promise<File> {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sounds = ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-f", "lavfi", "-i", "sine=d=1:r=48000"];
  const said = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "-metadata:s:a:0", `title=${title}`];
  const flags = ["-disposition:a:0", "0", "-disposition:a:1", "default"];
  const path = join(folder, name);
  await run("ffmpeg", ["-loglevel", "error", ...sounds, "-map", "0:a", "-map", "1:a", "-c:a", codec, ...said, ...flags, path]);
  return new File([await readFile(path)], name);
}

test.each([
  ["two.mkv", "aac"],
  ["two.mp4", "aac"],
  ["two.m4a", "aac"],
  ["TWO.MKA", "flac"],
  ["two.webm", "libopus"],
])("reads the languages and the default of the sound tracks of %s", async (name, codec) => {
  expect(await soundTracksIn(await twoTracks(name, codec), never)).toMatchObject([
    { language: "eng", isDefault: false },
    { language: "ger", isDefault: true },
  ]);
});

test("makes a track's title one short line without direction marks", async () => {
  const [tricky, long] = await Promise.all(
    ["a\u202Eb\nc ", "𝄞".repeat(200)].map(async (title) => soundTracksIn(await twoTracks("two.mkv", "aac", title), never)),
  );
  expect([tricky?.[0]?.title, long?.[0]?.title]).toEqual(["a b c", "𝄞".repeat(100)]);
});

test.each(["two.ts", "two.mov"])("counts the sound tracks of %s", async (name) => {
  expect(await soundTracksIn(await twoTracks(name, "aac"), never)).toHaveLength(2);
});

test("reports nothing for one track, other files and non-media", async () => {
  const talk = await readFile(join(import.meta.dirname, "../../fixtures/audio/harbor.m4a"));
  const files = [new File([talk], "harbor.m4a"), new File([talk], "harbor.mp3"), new File([], "empty.mkv")];
  const noise = new File([new Uint8Array(200_000).map((_, at) => (at * 7_919) % 251)], "noise.mp4");
  for (const file of [...files, noise]) expect(await soundTracksIn(file, never)).toBeUndefined();
});

test("reports no tracks for a file removed during reading", async () => {
  const file = await twoTracks("two.mkv", "aac");
  expect(await soundTracksIn(file, AbortSignal.abort())).toBeUndefined();
});
