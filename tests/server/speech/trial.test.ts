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

describe("the trial of a recognition model", () => {
  it("recognizes a real voice and measures the model's speed", async () => {
    const { speed } = await attempt(candidate(), signal);
    expect(speed).toEqual({ factor: expect.any(Number), threads: 1, at: "1970-01-01T00:00:00.000Z" });
    expect(speed?.factor).toBeGreaterThan(0);
    expect(speed?.factor).toBeLessThan(1);
  });

  it("reports files that are no model as unusable, with the reason", async () => {
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

  it("reports a model of a wrong kind, or unusable files that look alike", async () => {
    await expect(attempt(candidate("whisper"), signal)).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(attempt(candidate("tts"), signal)).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(attempt(candidate("senseVoice"), signal)).rejects.toMatchObject({ failure: "unusable" });
  });

  it("ends the trial's process when a model needs more memory than available", async () => {
    await writeHungryHearing(join(root, "hungry"));
    const small = createRecognitionTrial({ threads: 1, memory: 700 * 1024 * 1024 });
    await expect(small(candidate("nemoCtc", "hungry"), signal)).rejects.toMatchObject({ failure: "memory" });
    await expect(small(candidate(), signal)).resolves.toMatchObject({ speed: { threads: 1 } });
  });

  it("cancels a trial when it is aborted", async () => {
    const stopping = new AbortController();
    stopping.abort(new Error("cancelled"));
    await expect(attempt(candidate(), stopping.signal)).rejects.toThrow("cancelled");
  });
});

describe("a model unpacked by hand", () => {
  it("measures a model once, when it is first seen", async () => {
    const store = inMemoryModels([installed({ ...candidate(), id: "by-hand", check: "none" })]);
    const sherpa = await openSherpa({ models: store, modelsFolder: root, named: undefined, threads: 1 });
    await expect.poll(() => store.find("by-hand")?.speed?.threads).toBe(1);
    await sherpa.close();
  });
});

describe("npm run models -- try", () => {
  // PROMISE models: Commands list, install, try, check, export, import and remove models
  it("describes the recognized text, the word errors and the speed of a model", async () => {
    const measured = await measureModel(candidate().folder, { threads: 1 });
    expect(measured).toMatchObject({ kind: "nemoCtc", audioSeconds: expect.closeTo(11, 0), threads: 1 });
    expect(measured.errors).toMatchObject({ words: 22 });
    expect(describeMeasurement(measured)).toEqual([
      expect.stringContaining("hey"),
      expect.stringMatching(/^\d+ of 22 words wrong \(\d+\.\d %\)$/),
      expect.stringMatching(/s of work per second of audio with 1 thread\(s\), on \d+\.\d s; loaded in \d+\.\d s \(nemoCtc\)$/),
    ]);
  });

  it("measures any recording, with or without a reference text", async () => {
    const measured = await measureModel(candidate().folder, { audio: fixture("harbor.mp3"), threads: 1 });
    expect(measured.errors).toBeUndefined();
    expect(measured.audioSeconds).toBeGreaterThan(2);
  });
});

describe("wordErrors", () => {
  it.each([
    ["ask not what", "Ask not, what!", 0],
    ["ask what", "ask not what", 1],
    ["ask not what not", "ask not what", 1],
    ["ask knot what", "ask not what", 1],
    ["", "ask not what", 3],
    ["what not ask", "ask not what", 2],
    ["Straße über 3", "straße ÜBER 3", 0],
    ["don’t", "don't", 0],
  ])("compares %j with %j: %i errors", (heard, reference, errors) => {
    expect(wordErrors(heard, reference).errors).toBe(errors);
  });

  it("reports word errors in percent of the reference words", () => {
    expect(wordErrors("a b", "a b c d")).toEqual({ errors: 2, words: 4, percent: 50 });
    expect(wordErrors("a", "")).toEqual({ errors: 1, words: 0, percent: 0 });
  });
});

describe("measureThreads", () => {
  /** Measures on two cores. @param work ms per recording of a process with two or one threads; processes take turns */
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

  it("keeps one thread per process when two processes do more together", async () => {
    expect(await measured({ two: 440, one: 220 })).toEqual({ factor: 0.04, threads: 1 });
  });

  it("keeps all threads when that is faster", async () => {
    expect(await measured({ two: 440, one: 660 })).toEqual({ factor: 0.04, threads: 2 });
  });

  it("keeps all threads when one thread can't keep up with a recording", async () => {
    expect(await measured({ two: 8_800, one: 6_600 })).toEqual({ factor: 0.8, threads: 2 });
  });

  it("a model keeps all threads when memory allows only one process", async () => {
    expect(await measured({ two: 440, one: 220 }, 1)).toEqual({ factor: 0.04, threads: 2 });
  });
});
