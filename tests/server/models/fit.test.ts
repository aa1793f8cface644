import { expect, test } from "vitest";
import { needsOf } from "#machines/models/needs.ts";
import { builtInModel } from "#server/models/built-in.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { type Candidate, lacksOf, type Machine, recommend, speedOn } from "#server/models/fit.ts";
import { checkFor, describeModels, type Known } from "#server/models/overview.ts";

const gigabyte = 1e9;
const machine: Machine = { cores: 2, memoryBytes: 8 * gigabyte, freeMemoryBytes: 6 * gigabyte, freeDiskBytes: 50 * gigabyte };
const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  purpose: "hearing",
  languages: ["en"],
  downloadBytes: gigabyte / 10,
  diskBytes: gigabyte / 10,
  memoryBytes: gigabyte / 2,
  isInstalled: false,
  wordErrors: undefined,
  publishedSpeed: undefined,
  measuredSpeed: undefined,
  ...more,
});
const measured = (factor: number) => ({ factor, threads: 2, at: "2026-03-01T12:00:00.000Z" });
const best = (candidates: Candidate[], on = machine) => Object.fromEntries(recommend(candidates, on));

test("a model may take three quarters of the memory and needs its disk space twice", () => {
  expect(lacksOf(candidate("a", { memoryBytes: 6 * gigabyte }), machine)).toEqual([]);
  expect(lacksOf(candidate("a", { memoryBytes: 6 * gigabyte + 1 }), machine)).toEqual(["memory"]);
  const large = { downloadBytes: 25 * gigabyte, diskBytes: 25 * gigabyte };
  expect(lacksOf(candidate("a", large), machine)).toEqual(["disk"]);
  expect(lacksOf(candidate("a", { ...large, isInstalled: true }), machine)).toEqual([]);
});

test("prefers a model's measured speed to the published one, and that to an estimate by size", () => {
  expect(speedOn(candidate("a", { measuredSpeed: measured(0.3), publishedSpeed: "0.1 (2 threads)" }), machine)).toBe(0.3);
  expect(speedOn(candidate("a", { publishedSpeed: "0.118 (2 threads)" }), machine)).toBeCloseTo(0.118);
  expect(speedOn(candidate("a", { publishedSpeed: "0.118 (2 threads)" }), { ...machine, cores: 1 })).toBeCloseTo(0.236);
  expect(speedOn(candidate("a", { publishedSpeed: "0.386 (4 threads, Raspberry Pi 4)" }), machine)).toBeCloseTo(0.15);
});

test("recommends the model with the fewest word errors that fits and is fast enough", () => {
  const errors = (percent: number, on = "a test") => ({ wordErrors: { percent, on } });
  const exact = candidate("exact", errors(4));
  const rough = candidate("rough", { ...errors(9), languages: ["de", "en"] });
  expect(best([rough, exact])).toEqual({ exact: ["en"], rough: ["de"] });
  expect(best([rough, { ...exact, measuredSpeed: measured(1.5) }])).toEqual({ rough: ["de", "en"] });
  expect(best([rough, { ...exact, memoryBytes: 7 * gigabyte }])).toEqual({ rough: ["de", "en"] });
  expect(best([candidate("unknown"), exact])).toEqual({ exact: ["en"] });
  expect(best([candidate("slow", { measuredSpeed: measured(3) }), candidate("slower", { measuredSpeed: measured(4) })])).toEqual({
    slow: ["en"],
  });
});

test("recommends the fastest of the best models when word errors come from different tests", () => {
  const exact = candidate("exact", { wordErrors: { percent: 4, on: "an easy test" }, measuredSpeed: measured(0.8) });
  const quick = candidate("quick", { wordErrors: { percent: 6, on: "a hard test" }, measuredSpeed: measured(0.1) });
  const worse = candidate("worse", { wordErrors: { percent: 8, on: "a hard test" }, measuredSpeed: measured(0.05) });
  expect(best([exact, quick, worse])).toEqual({ quick: ["en"] });
});

test("recommends the smallest voice of a language and every translation pair", () => {
  const voice = (id: string, diskBytes: number) => candidate(id, { purpose: "speaking", diskBytes });
  expect(best([voice("large", 300), voice("small", 100)])).toEqual({ small: ["en"] });
  const pair = candidate("bergamot-en-de", { purpose: "translation", languages: ["de", "en"] });
  expect(best([pair])).toEqual({ "bergamot-en-de": ["de", "en"] });
});

test("the real catalog recommends a model for each language on an ordinary machine", () => {
  const known = modelCatalogue.map((entry) => ({ id: entry.id, entry, found: undefined, installation: null, isInUse: false }));
  const models = describeModels(known, machine);
  const hearing = models.filter(({ purpose }) => purpose === "hearing");
  const languages = new Set(hearing.flatMap((model) => model.languages));
  expect(new Set(hearing.flatMap(({ recommendedFor }) => recommendedFor))).toEqual(languages);
  const german = hearing.filter(({ recommendedFor }) => recommendedFor.includes("de"));
  expect(german.map(({ id }) => id)).toEqual(["sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8"]);
  expect(hearing.filter(({ recommendedFor }) => recommendedFor.includes("ja")).map(({ id }) => id)).toEqual([
    "sherpa-onnx-whisper-small",
  ]);
  expect(models.find(({ id }) => id === "sherpa-onnx-streaming-zipformer-fr-2023-04-14")).toMatchObject({
    isStreaming: true,
    check: "release",
    downloadBytes: null,
  });
});

const onDisk = (model: typeof builtInModel, source: "builtIn" | "byHand"): Known => {
  const { id, bytes } = model;
  const found = { id, at: null, source, bytes, fault: null, model };
  return { id, entry: undefined, found, installation: null, isInUse: false };
};

test.each([
  ["two cores and 24 GB", 2, 24, "parakeet-tdt-0.6b-v2", "parakeet-tdt-0.6b-v3", "kokoro"],
  ["one core and 1 GB", 1, 1, "parakeet_tdt_ctc_110m", "whisper-base", "piper"],
  ["sixteen cores and 64 GB", 16, 64, "parakeet-tdt-0.6b-v2", "parakeet-tdt-0.6b-v3", "kokoro"],
])("the real catalog recommends one model for each need on a machine with %s", (_, cores, memory, english, others, voices) => {
  const known = modelCatalogue.map((entry) => ({ id: entry.id, entry, found: undefined, installation: null, isInUse: false }));
  const own = { ...machine, cores, memoryBytes: memory * gigabyte };
  const needs = needsOf(describeModels([...known, onDisk(builtInModel, "builtIn")], own), "de");
  expect(needs.map(({ id, isMet }) => [id, isMet])).toEqual([
    ["english", false],
    ["otherLanguages", false],
    ["speakers", false],
    ["translation", false],
    ["voices", false],
  ]);
  expect(needs.map(({ models }) => models.map(({ id }) => id).join())).toEqual([
    expect.stringContaining(english),
    expect.stringContaining(others),
    "sherpa-onnx-pyannote-segmentation-3-0,3dspeaker_speech_campplus_sv_en_voxceleb_16k",
    "bergamot-en-de,bergamot-de-en",
    expect.stringContaining(voices),
  ]);
});

test("describes the built-in model, and a Moonshine model's license limit in other languages", () => {
  const spanish = { ...builtInModel, id: "moonshine-base-es", languages: ["es"], entry: undefined };
  const [own, other] = describeModels([onDisk(builtInModel, "builtIn"), onDisk(spanish, "byHand")], machine);
  expect(own).toMatchObject({
    name: "Moonshine tiny",
    licence: "MIT",
    caveat: null,
    downloadBytes: null,
    memoryBytes: 160_000_000,
    wordErrors: { percent: 12.7 },
    installed: { source: "builtIn" },
  });
  expect(other).toMatchObject({ caveat: "nonCommercial", recommendedFor: [] });
});

test("says whether a measured model keeps up with speech, and lists the address of a single file", () => {
  const described = (id: string, factor?: number) => {
    const entry = modelCatalogue.find((one) => one.id === id);
    const speed = factor === undefined ? undefined : measured(factor);
    const { purpose = "hearing", kind = "whisper", languages = [] } = entry ?? {};
    const model = { id, folder: `/${id}`, purpose, kind, languages, entry, check: "pinned", bytes: 1, speed } as const;
    const found = { id, at: null, source: "byHand", bytes: 1, fault: null, model } as const;
    return describeModels([{ id, entry, found, installation: null, isInUse: false }], machine)[0];
  };
  const whisper = "sherpa-onnx-whisper-base";
  expect([described(whisper, 0.9)?.keepsUp, described(whisper, 0.91)?.keepsUp, described(whisper)?.keepsUp]).toEqual([
    true,
    false,
    null,
  ]);
  expect(described("vits-piper-en_US-lessac-medium", 2)).toMatchObject({ keepsUp: false, measuredSpeed: { factor: 2 } });
  expect(described("bergamot-de-en", 20)).toMatchObject({ keepsUp: null, addresses: [] });
  expect(described(whisper)?.addresses).toEqual([expect.stringMatching(/^https:.*whisper-base\.tar\.bz2$/)]);
});

test("tells before a download which check it will have to pass", () => {
  const checks = Object.fromEntries(modelCatalogue.map((entry) => [entry.id, checkFor(entry)]));
  expect(checks).toMatchObject({
    "sherpa-onnx-whisper-tiny": "pinned",
    "sherpa-onnx-whisper-small": "release",
    "sherpa-onnx-whisper-turbo": "pinned",
    "bergamot-de-en": "pinned",
  });
});
