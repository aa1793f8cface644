import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maxSpeakers, type Segment } from "#contract/index.ts";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import type { InstalledModels } from "#server/models/model.ts";
import { assignSpeakers } from "#server/speech/diarization/assign.ts";
import { cosine, joinWindows } from "#server/speech/diarization/clusters.ts";
import { openDiarizer } from "#server/speech/diarization/diarizer.ts";
import { writeTinySpeakers } from "#tests/fixtures/tiny-speakers.ts";
import { twoVoices } from "#tests/fixtures/two-voices.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";

const rate = 16_000;
let folder = "";
let pcmPath = "";
let models: InstalledModels;
/** Seconds: the first voice speaks until `first`, the second until `whole`. */
let halves: { first: number; whole: number };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-speakers-"));
  const tiny = join(folder, "tiny");
  await writeTinySpeakers(tiny);
  models = modelsIn(tiny);
  pcmPath = join(folder, "voices.pcm");
  const { pcm, firstSeconds } = await twoVoices();
  await writeFile(pcmPath, pcm);
  halves = { first: firstSeconds, whole: pcm.length / 2 / rate };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The two tiny models, each in its own folder like installed models. */
function modelsIn(base: string): InstalledModels {
  const kinds = ["speakerSegmentation", "speakerEmbedding"] as const;
  return inMemoryModels(
    kinds.map((kind) => installed({ id: kind, folder: join(base, kind), purpose: "speakers", kind, languages: [] })),
  );
}

const samples = () => Math.round(halves.whole * rate);
const signal = () => new AbortController().signal;

describe("the diarizer", () => {
  test("tells two voices apart, each at its own times", async () => {
    const { turns, voices } = await openDiarizer(models).diarize({ pcmPath, samples: samples(), signal: signal() });
    const speakers = turns.map(({ speaker }) => speaker);
    expect(speakers).toContain(0);
    expect(Math.max(...speakers)).toBe(1);
    for (const { start, end, speaker } of turns) {
      const middle = (start + end) / 2;
      expect(speaker, `at ${middle} s`).toBe(middle < halves.first ? 0 : 1);
    }
    expect(cosine(voices[0] ?? [], voices[1] ?? [])).toBeLessThan(0.5);
  });

  test("recognizes the same two speakers across consecutive windows", async () => {
    const shares: number[] = [];
    const { turns, voices } = await openDiarizer(models, { window: 6 }).diarize({
      pcmPath,
      samples: samples(),
      signal: signal(),
      onProgress: (share) => shares.push(share),
    });
    expect(voices).toHaveLength(2);
    for (const { start, end, speaker } of turns) expect(speaker).toBe((start + end) / 2 < halves.first ? 0 : 1);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shares.at(-1)).toBe(1);
    expect(shares.length).toBe(Math.ceil(halves.whole / 6));
  });

  test.each([{ window: undefined }, { window: 6 }])("finds as many speakers as the user names (%o)", async ({ window }) => {
    const diarizer = openDiarizer(models, window === undefined ? {} : { window });
    const { turns } = await diarizer.diarize({ pcmPath, samples: samples(), speakers: 1, signal: signal() });
    expect(new Set(turns.map(({ speaker }) => speaker))).toEqual(new Set([0]));
  });

  test("finds no speakers in silence", async () => {
    const silent = join(folder, "silent.pcm");
    await writeFile(silent, Buffer.alloc(rate * 2 * 4));
    const { turns, voices } = await openDiarizer(models).diarize({ pcmPath: silent, samples: rate * 4, signal: signal() });
    expect({ turns, voices }).toEqual({ turns: [], voices: [] });
  });

  test("reports engineFailed when a model file is invalid", async () => {
    const broken = join(folder, "broken");
    for (const kind of ["speakerSegmentation", "speakerEmbedding"]) {
      await mkdir(join(broken, kind), { recursive: true });
      await writeFile(join(broken, kind, "model.onnx"), "no model");
    }
    const diarizing = openDiarizer(modelsIn(broken)).diarize({ pcmPath, samples: samples(), signal: signal() });
    await expect(diarizing).rejects.toMatchObject({ name: "SpeechError", code: "engineFailed" });
  });

  test("reports diarization as unavailable without models and rejects with the abort reason", async () => {
    expect(openDiarizer(onlyBuiltIn).isAvailable()).toBe(false);
    expect(openDiarizer(models).isAvailable()).toBe(true);
    await expect(openDiarizer(onlyBuiltIn).diarize({ pcmPath, samples: 1, signal: signal() })).rejects.toMatchObject({
      code: "engineUnavailable",
    });
    const stop = new AbortController();
    const diarizing = openDiarizer(models, { window: 2 }).diarize({
      pcmPath,
      samples: samples(),
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(diarizing).rejects.toThrow("enough");
  });
});

describe("joinWindows", () => {
  const turn = (speaker: number, start: number, end = start + 1) => ({ speaker, start, end });

  test("numbers speakers in the order in which they first speak", () => {
    const { turns } = joinWindows([
      {
        turns: [turn(1, 0), turn(0, 2)],
        voices: [
          [1, 0],
          [0, 1],
        ],
      },
    ]);
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1]);
  });

  test("joins similar voices of different windows into one speaker", () => {
    const { turns, voices } = joinWindows([
      {
        turns: [turn(0, 0), turn(1, 2)],
        voices: [
          [1, 0],
          [0, 1],
        ],
      },
      {
        turns: [turn(0, 20), turn(1, 22)],
        voices: [
          [0.1, 0.9],
          [0.9, 0.1],
        ],
      },
    ]);
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 1, 0]);
    expect(voices).toHaveLength(2);
  });

  test("merges the most similar of forty voices until twenty are left", () => {
    const voices = Array.from({ length: 40 }, (_, at) => {
      const angle = ((at >> 1) / 20) * Math.PI + (at % 2) * 0.001;
      return [Math.cos(angle), Math.sin(angle)];
    });
    const { turns } = joinWindows([{ turns: voices.map((_, at) => turn(at, at * 2)), voices }]);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(maxSpeakers);
    for (let pair = 0; pair < 40; pair += 2) expect(turns[pair]?.speaker).toBe(turns[pair + 1]?.speaker);
  });

  test("joins windows without speakers into an empty result", () =>
    expect(joinWindows([{ turns: [], voices: [] }])).toEqual({ turns: [], voices: [] }));
});

describe("assignSpeakers", () => {
  const word = (text: string, start: number, end = start + 0.4) => ({ text, start, end });
  const segmentOf = (words: ReturnType<typeof word>[], more: Partial<Segment> = {}): Segment => ({
    start: words[0]?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    text: words.map(({ text }) => text).join(" "),
    words,
    ...more,
  });
  const names = (speaker: number) => `${speaker + 1}`;
  const shape = (segments: readonly Segment[]) => segments.map(({ speaker, text }) => `${speaker}: ${text}`);

  test("splits a segment where the speaker changes and gives each part its own times", () => {
    const segment = segmentOf([word("how", 0), word("are", 0.5), word("you", 1), word("fine", 3), word("thanks", 3.5)]);
    const parts = assignSpeakers([segment], [turnOf(0, 0, 1.5), turnOf(1, 2.9, 4)], names);
    expect(shape(parts)).toEqual(["1: how are you", "2: fine thanks"]);
    expect(parts.map(({ start, end }) => [start, end])).toEqual([
      [0, 1.4],
      [3, 3.9],
    ]);
    expect(parts.flatMap(({ words }) => words)).toEqual(segment.words);
  });

  test("ignores a single word amid another speaker's and gives words outside all turns the nearest speaker", () => {
    const words = [word("one", 0), word("two", 0.5), word("three", 1), word("four", 6), word("five", 30)];
    const parts = assignSpeakers([segmentOf(words)], [turnOf(0, 0, 0.45), turnOf(1, 0.5, 0.95), turnOf(0, 1, 5.5)], names);
    expect(shape(parts)).toEqual(["1: one two three four five"]);
  });

  test("keeps an edited text whole and labels it with the speaker of most of its time", () => {
    const edited = segmentOf([word("hello", 0), word("there", 3, 6)], { text: "Something else" });
    expect(shape(assignSpeakers([edited], [turnOf(0, 0, 1), turnOf(1, 2, 6)], names))).toEqual(["2: Something else"]);
  });

  test("keeps the translation of a whole segment and drops it from split parts", () => {
    const whole = segmentOf([word("hi", 0)], { translation: "hola", speaker: "9" });
    const split = segmentOf([word("you", 10), word("me", 12)], { translation: "tú yo" });
    const parts = assignSpeakers([whole, split], [turnOf(0, 0, 1), turnOf(0, 10, 10.5), turnOf(1, 12, 13)], names);
    expect(parts.map(({ translation, speaker }) => [translation, speaker])).toEqual([
      ["hola", "1"],
      [undefined, "1"],
      [undefined, "2"],
    ]);
  });

  test("removes the speaker label when there are no turns", () => {
    expect(assignSpeakers([segmentOf([word("hi", 0)], { speaker: "1" })], [], names)[0]?.speaker).toBeUndefined();
  });
});

const turnOf = (speaker: number, start: number, end: number) => ({ speaker, start, end });
