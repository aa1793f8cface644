import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ModelKind } from "#contract/index.ts";
import { describeMeasurement, measureModel } from "#server/speech/measure.ts";
import { openSherpa } from "#server/speech/sherpa/engines.ts";
import { createRecognitionTrial, measureThreads } from "#server/speech/trial.ts";
import { wordErrors } from "#speech/word-errors.ts";
import { writeHungryHearing, writeTinyHearing } from "#tests/fixtures/tiny-hearing.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";
import { fixture, noise } from "./sound.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-trial-"));
  await writeTinyHearing(join(root, "sherpa-onnx-nemo-ctc-en"), "nemoCtc");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const candidate = (kind: ModelKind = "nemoCtc", name = "sherpa-onnx-nemo-ctc-en") => ({
  folder: join(root, name),
  kind,
  purpose: "hearing" as const,
  languages: ["en"],
});
const { signal } = new AbortController();
const attempt = createRecognitionTrial({ threads: 1, now: () => 0 });

describe("a model is tried before it is called installed", () => {
  it("hears a real voice, and its speed is measured", async () => {
    const { speed } = await attempt(candidate(), signal);
    expect(speed).toEqual({ factor: expect.any(Number), threads: 1, at: "1970-01-01T00:00:00.000Z" });
    expect(speed?.factor).toBeGreaterThan(0);
    expect(speed?.factor).toBeLessThan(1);
  });

  it("files that are no model are unusable, and the reason is said", async () => {
    const folder = join(root, "noise");
    await mkdir(folder);
    await writeFile(join(folder, "model.onnx"), noise(0.1, -3));
    await writeFile(join(folder, "tokens.txt"), "a 0\n<blk> 1\n");
    await expect(attempt(candidate("nemoCtc", "noise"), signal)).rejects.toMatchObject({
      name: "ModelTrialError",
      failure: "unusable",
      message: expect.stringContaining("stopped unexpectedly"),
    });
  });

  it("a model of another kind than it says is of the wrong kind, or unusable where its files look alike", async () => {
    await expect(attempt(candidate("whisper"), signal)).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(attempt(candidate("tts"), signal)).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(attempt(candidate("senseVoice"), signal)).rejects.toMatchObject({ failure: "unusable" });
  });

  it("one that needs more memory than there is ends its own process", async () => {
    await writeHungryHearing(join(root, "hungry"));
    const small = createRecognitionTrial({ threads: 1, memory: 700 * 1024 * 1024 });
    await expect(small(candidate("nemoCtc", "hungry"), signal)).rejects.toMatchObject({ failure: "memory" });
    await expect(small(candidate(), signal)).resolves.toMatchObject({ speed: { threads: 1 } });
  });

  it("can be cancelled", async () => {
    const stopping = new AbortController();
    stopping.abort(new Error("cancelled"));
    await expect(attempt(candidate(), stopping.signal)).rejects.toThrow("cancelled");
  });
});

describe("what was unpacked by hand", () => {
  it("is measured once, when it is first seen", async () => {
    const store = inMemoryModels([installed({ ...candidate(), id: "by-hand", check: "none" })]);
    const sherpa = await openSherpa({ models: store, modelsFolder: root, named: undefined, threads: 1 });
    await expect.poll(() => store.find("by-hand")?.speed?.threads).toBe(1);
    await sherpa.close();
  });
});

describe("npm run models -- try", () => {
  // PROMISE models: Commands list, install, try, check, export, import and remove models
  it("says what a model makes of the known recording, how much of it is wrong, and how fast it is", async () => {
    const measured = await measureModel(candidate().folder, { threads: 1 });
    expect(measured).toMatchObject({ kind: "nemoCtc", audioSeconds: expect.closeTo(11, 0), threads: 1 });
    expect(measured.errors).toMatchObject({ words: 22 });
    expect(describeMeasurement(measured)).toEqual([
      expect.stringContaining("hey"),
      expect.stringMatching(/^\d+ of 22 words wrong \(\d+\.\d %\)$/),
      expect.stringMatching(/s of work per second of audio with 1 thread\(s\), on \d+\.\d s; loaded in \d+\.\d s \(nemoCtc\)$/),
    ]);
  });

  it("takes any recording, with or without what is said in it", async () => {
    const measured = await measureModel(candidate().folder, { audio: fixture("harbor.mp3"), threads: 1 });
    expect(measured.errors).toBeUndefined();
    expect(measured.audioSeconds).toBeGreaterThan(2);
  });
});

describe("word errors", () => {
  it.each([
    ["ask not what", "Ask not, what!", 0],
    ["ask what", "ask not what", 1],
    ["ask not what not", "ask not what", 1],
    ["ask knot what", "ask not what", 1],
    ["", "ask not what", 3],
    ["what not ask", "ask not what", 2],
    ["Straße über 3", "straße ÜBER 3", 0],
    ["don’t", "don't", 0],
  ])("%j for %j: %i", (heard, reference, errors) => {
    expect(wordErrors(heard, reference).errors).toBe(errors);
  });

  it("are given in percent of the words that were said", () => {
    expect(wordErrors("a b", "a b c d")).toEqual({ errors: 2, words: 4, percent: 50 });
    expect(wordErrors("a", "")).toEqual({ errors: 1, words: 0, percent: 0 });
  });
});

describe("measureThreads", () => {
  /** Two cores. @param work what each process takes for the recording by its threads (ms): the processes take turns */
  async function measured(work: { two: number; one: number }, most = 2) {
    let clock = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
    let loaded = 0;
    const load = async (threads: number) => {
      loaded += 1;
      if (threads === 1 && loaded > most + 1) throw new Error("out of memory");
      const transcribe = async () => {
        clock += threads === 1 ? work.one : work.two;
        return { text: "words" };
      };
      return { transcribe, kill: () => undefined, close: async () => undefined };
    };
    const result = await measureThreads(load, { cores: 2, language: "en" });
    now.mockRestore();
    return result;
  }

  it("keeps one thread for each process where two processes do more together", async () => {
    expect(await measured({ two: 440, one: 220 })).toEqual({ factor: 0.04, threads: 1 });
  });

  it("keeps all threads where that is faster", async () => {
    expect(await measured({ two: 440, one: 660 })).toEqual({ factor: 0.04, threads: 2 });
  });

  it("keeps all threads where one recording would not keep up with one", async () => {
    expect(await measured({ two: 8_800, one: 6_600 })).toEqual({ factor: 0.8, threads: 2 });
  });

  it("keeps all threads where there is no memory for two processes", async () => {
    expect(await measured({ two: 440, one: 220 }, 1)).toEqual({ factor: 0.04, threads: 2 });
  });
});
