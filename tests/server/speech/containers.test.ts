import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeToPcm } from "#server/speech/decode.ts";
import { convert, videoName } from "#server/video/convert.ts";
import { probeVideo } from "#server/video/probe.ts";
import { pcmRate, samplesOf } from "#speech/bytes.ts";
import { type Case, cases, soundMarks } from "./containers.ts";

const run = promisify(execFile);
const ffmpeg = (...args: readonly string[]) => run("ffmpeg", ["-loglevel", "error", "-y", ...args]);

let folder: string;
const pathOf = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-containers-"));
  const isMarked = (t: string) => `between(mod(${t}+1\\,2)\\,0\\,0.199)*gte(${t}\\,1)`;
  const lavfi = (source: string) => ["-f", "lavfi", "-i", source];
  await ffmpeg(...lavfi(`aevalsrc=0.5*sin(2*PI*1000*t)*${isMarked("t")}:s=48000:d=8`), pathOf("sound.wav"));
  await ffmpeg(...lavfi("anullsrc=r=48000:cl=mono"), "-t", "8", pathOf("other.wav"));
  const flashes = `color=black:s=32x32:r=10:d=8,geq=lum=if(${isMarked("T")}\\,235\\,16):cb=128:cr=128`;
  const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "5", "-pix_fmt", "yuv420p"];
  await ffmpeg(...lavfi(flashes), ...h264, pathOf("picture.mp4"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function made({ file, args }: Pick<Case, "file" | "args">): Promise<string> {
  const inputs: Record<string, string> = { sound: "sound.wav", other: "other.wav", picture: "picture.mp4" };
  const named = args.map((arg, at) => (args[at - 1] === "-i" ? pathOf(inputs[arg] ?? arg) : arg));
  await ffmpeg(...named, pathOf(file));
  return pathOf(file);
}

/** The longest allowed recording on most servers. */
const longestSeconds = 24 * 3_600;
async function decoded(path: string, track?: number) {
  const chunks: Buffer[] = [];
  const onPcm = (chunk: Buffer) => void chunks.push(Buffer.from(chunk));
  const result = await decodeToPcm(path, { track, onPcm, maxSamples: longestSeconds * pcmRate });
  return { ...result, marks: marksIn(samplesOf(Buffer.concat(chunks))) };
}

/** Start of each mark in seconds: a loud sample after a tenth of a second without one. */
function marksIn(samples: Int16Array): number[] {
  const marks: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  samples.forEach((sample, at) => {
    if (Math.abs(sample) < 2_000) return;
    if (at - last > pcmRate / 10) marks.push(at / pcmRate);
    last = at;
  });
  return marks;
}

/** Times in seconds at which the video flashes. */
async function flashesIn(path: string): Promise<number[]> {
  const shown = "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-";
  const { stdout } = await run("ffmpeg", ["-loglevel", "error", "-i", path, "-an", "-vf", shown, "-f", "null", "-"]);
  const pictures = [...stdout.matchAll(/pts_time:([\d.]+)\n.*YAVG=([\d.]+)/g)].map(
    ([, at, light]) => [Number(at), Number(light)] as const,
  );
  return pictures.filter(([, light], index) => light > 120 && (pictures[index - 1]?.[1] ?? 0) <= 120).map(([at]) => at);
}

/** Seconds. A packet is 0.02 s long. */
const tolerance = 0.05;
function expectMarks(found: readonly number[], marks: readonly number[]): void {
  expect(found, found.join(" ")).toHaveLength(marks.length);
  for (const [index, mark] of marks.entries())
    expect(Math.abs((found[index] ?? 0) - mark), found.join(" ")).toBeLessThan(tolerance);
}

describe("times and channels of a container", () => {
  it.each(cases)("decodes $file with its marks at the right times (fault: $fault)", async ({ marks, type, ...input }) => {
    const found = await decoded(await made(input));
    expectMarks(found.marks, marks);
    expect(found).toMatchObject({ type, truncated: false, hasHoles: input.fault.startsWith("hole") });
  });

  it("decodes the requested audio track and lists all tracks", async () => {
    const args = ["-i", "sound", "-i", "other", "-map", "0", "-map", "1", "-metadata:s:a:1", "language=deu", "-c:a", "aac"];
    const path = await made({ file: "choice.mka", args });
    expect(await decoded(path)).toMatchObject({ track: 1, tracks: [{ language: null }, { language: "deu" }] });
    expect(await decoded(path, 2)).toMatchObject({ track: 2, marks: [] });
  });

  it("survives timestamps that jump, start again or are inexact", async () => {
    const twice = pathOf("twice.ts");
    const once = await readFile(
      await made({ file: "once.ts", args: ["-i", "picture", "-i", "sound", "-c:v", "copy", "-c:a", "aac"] }),
    );
    await writeFile(twice, Buffer.concat([once, once]));
    expectMarks((await decoded(twice)).marks, [...soundMarks, ...soundMarks.map((mark) => mark + 8)]);
    const moved = (name: string, times: string) =>
      made({ file: name, args: ["-i", "once.webm", "-c", "copy", "-bsf:a", `setts=ts=${times}`] });
    await made({ file: "once.webm", args: ["-i", "sound", "-c:a", "libopus"] });
    const jumped = await decoded(await moved("days.webm", "TS+gte(TS\\,4000)*3*86400000"));
    expectMarks(jumped.marks, soundMarks);
    expect(jumped.truncated).toBe(false);
    const inexact = await decoded(await moved("inexact.webm", "TS+floor(random(0)*120)-60"));
    expectMarks(inexact.marks, soundMarks);
    expect(inexact).toMatchObject({ hasHoles: false, durationSeconds: expect.closeTo(8, 1) });
  });

  it("refuses a file whose gap is longer than the allowed recording", async () => {
    const args = ["-i", "sound", "-af", "asetpts=PTS+gte(T\\,4)*7200/TB", "-c:a", "libopus"];
    const path = await made({ file: "hours.mka", args });
    let samples = 0;
    const decoding = decodeToPcm(path, {
      maxSamples: 60 * pcmRate,
      onPcm: (chunk) => {
        samples += chunk.length / 2;
      },
    });
    await expect(decoding).rejects.toMatchObject({ code: "tooLong" });
    expect(samples).toBeLessThanOrEqual(60 * pcmRate);
  });
});

describe("the browser copy of a video", () => {
  const copied = [
    "none.mkv",
    "late.mkv",
    "hole.mkv",
    "hole.mp4",
    "late.ts",
    "hole.ts",
    "negative.mkv",
    "all of it late.mkv",
    "after hours.ts",
  ];
  it.each(cases.filter(({ file }) => copied.includes(file)))(
    "keeps the times of $file in the browser copy",
    async ({ marks, ...input }) => {
      const source = await made(input);
      const { signal } = new AbortController();
      const probe = await probeVideo(source, signal);
      if (probe.kind !== "convert" && probe.kind !== "original") throw new Error(probe.kind);
      const inside = await mkdtemp(join(folder, "copy-"));
      const limits = { maxSeconds: 60, maxBytes: 10_000_000, onProgress: () => {} };
      await convert({ ...probe, ...limits, source, folder: inside, signal });
      const copy = join(inside, videoName);
      const sound = await decoded(copy);
      expectMarks(sound.marks, marks);
      expect(sound.hasHoles).toBe(false);
      const isLate = input.fault === "all of it late";
      expectMarks(await flashesIn(copy), isLate ? marks : soundMarks);
    },
  );

  it("converts a video whose audible track isn't the first, since browsers play only the first", async () => {
    const args = [
      "-i",
      "picture",
      "-i",
      "other",
      "-i",
      "sound",
      "-map",
      "0",
      "-map",
      "1",
      "-map",
      "2",
      "-c:v",
      "copy",
      "-c:a",
      "aac",
    ];
    const second = ["-disposition:a:0", "0", "-disposition:a:1", "default"];
    const { signal } = new AbortController();
    expect(await probeVideo(await made({ file: "first.mp4", args }), signal)).toMatchObject({ kind: "original", track: 1 });
    expect(await probeVideo(pathOf("first.mp4"), signal, 2)).toMatchObject({ kind: "convert", track: 2 });
    expect(await probeVideo(await made({ file: "second.mp4", args: [...args, ...second] }), signal)).toMatchObject({
      kind: "convert",
      track: 2,
    });
  });
});
