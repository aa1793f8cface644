import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { InstalledModels } from "#server/models/model.ts";
import { recognize } from "#server/models/recognize.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { openSherpa, type SherpaEngines } from "#server/speech/sherpa/engines.ts";
import { findFiles } from "#server/speech/sherpa/model.ts";
import { MemoryBudget } from "#server/threads/budget.ts";
import type { StreamEvent } from "#speech/stream.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";
import { chunked, noise, silence, voice } from "./sound.ts";
import { writeTinyModel } from "./tiny-model.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-sherpa-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let count = 0;
/** Creates a models folder with model folders whose files contain noise. */
async function models(folders: Record<string, string[]>): Promise<string> {
  count += 1;
  const folder = join(root, `models-${count}`);
  await mkdir(folder);
  for (const [name, files] of Object.entries(folders)) {
    await mkdir(join(folder, name), { recursive: true });
    for (const file of files) await writeFile(join(folder, name, file), file.endsWith(".txt") ? "a 0\nb 1\n" : noise(0.5, -3));
  }
  return folder;
}

describe("findFiles", () => {
  it("prefers int8 files when both kinds exist", async () => {
    const files = [
      "base-encoder.onnx",
      "base-encoder.int8.onnx",
      "base-decoder.onnx",
      "base-decoder.int8.onnx",
      "base-tokens.txt",
    ];
    const folder = await models({ "sherpa-onnx-whisper-base": files });
    expect(await findFiles(join(folder, "sherpa-onnx-whisper-base"), "whisper")).toMatchObject({
      encoder: expect.stringMatching(/encoder\.int8\.onnx$/),
      decoder: expect.stringMatching(/decoder\.int8\.onnx$/),
    });
  });

  it.each([
    ["empty", [], "whisper", /empty/],
    ["without-tokens", ["tiny-encoder.onnx", "tiny-decoder.onnx"], "whisper", /tokens\.txt/],
    ["of-another-kind", ["model.onnx", "tokens.txt"], "transducer", /no transducer model/],
    ["half", ["tiny-encoder.onnx", "tiny-tokens.txt"], "whisper", /no whisper model/],
  ] as const)("explains why a folder holds no usable model: %s", async (name, files, kind, reason) => {
    expect(await findFiles(join(await models({ [name]: [...files] }), name), kind)).toMatch(reason);
  });
});

let opened: SherpaEngines[] = [];
afterEach(async () => {
  await Promise.all(opened.map((sherpa) => sherpa.close()));
  opened = [];
});

async function open(models: InstalledModels, options: { named?: string; folder?: string } = {}): Promise<SherpaEngines> {
  const sherpa = await openSherpa({
    models,
    modelsFolder: options.folder ?? root,
    named: options.named,
    threads: 1,
    budget: new MemoryBudget(1e9),
  });
  opened.push(sherpa);
  return sherpa;
}

/** Models unpacked there by hand, as the store recognizes them. */
async function byHand(folder: string): Promise<InstalledModels> {
  const names = await readdir(folder).catch(() => []);
  const all = await Promise.all(
    names.map(async (id) => {
      const found = recognize(id, await readdir(join(folder, id)));
      return typeof found === "string" ? [] : [installed({ id, folder: join(folder, id), check: "none", ...found })];
    }),
  );
  return inMemoryModels(all.flat());
}

/** The only engine of a folder with models unpacked by hand. */
async function engineIn(folder: string, named?: string): Promise<SpeechEngine> {
  const sherpa = await open(await byHand(folder), { folder, ...(named !== undefined && { named }) });
  const [engine] = sherpa.all();
  if (engine === undefined) throw new Error("no engine");
  return engine;
}

const said = Buffer.concat([silence(2), voice(1, -20), silence(1.5), voice(1, -20), silence(1)]);

async function dictated(engine: SpeechEngine): Promise<string[]> {
  const events: StreamEvent[] = [];
  const stream = await engine.openStream({
    person: "ann",
    language: "auto",
    onEvent: (event) => events.push(event),
    onError: (error) => expect.fail(error.message),
  });
  for (const chunk of chunked(said, [3200])) await stream.write(chunk);
  await stream.end();
  return events.flatMap((event) => (event.type === "final" ? [event.segment.text] : []));
}

// PROMISE speech: Other languages work as soon as their model is installed
describe("an installed sherpa model", () => {
  const openTiny = async () => {
    const folder = await models({});
    await writeTinyModel(join(folder, "tiny-sense-voice"));
    return engineIn(folder);
  };

  it("transcribes recordings with the times of their words", async () => {
    const engine = await openTiny();
    expect(engine).toMatchObject({
      id: "tiny-sense-voice",
      unavailable: undefined,
      languages: ["auto", "en"],
      name: "sherpa-onnx (tiny-sense-voice)",
    });
    const segments = await engine.transcribe(said, { language: "en" });
    expect(segments).toHaveLength(2);
    expect(segments[0]?.text).toMatch(/^Hey( hey)*$/);
    expect([segments[0]?.start, segments[1]?.start]).toEqual([expect.closeTo(2.1, 0), expect.closeTo(4.6, 0)]);
    expect(await engine.transcribe(silence(2), { language: "auto" })).toEqual([]);
  });

  it("live dictation uses the same model", async () => {
    expect(await dictated(await openTiny())).toEqual([expect.stringMatching(/^Hey/), expect.stringMatching(/^Hey/)]);
  });
});

describe("several models side by side", () => {
  const two = async () => {
    const folder = await models({});
    for (const id of ["one", "other"]) await writeTinyModel(join(folder, id));
    return ["one", "other"].map((id) => installed({ id, folder: join(folder, id), languages: ["en", "zh"] }));
  };

  it("gives each model its own engine and loads both on demand", async () => {
    const sherpa = await open(inMemoryModels(await two()));
    expect(sherpa.all().map(({ id }) => id)).toEqual(["one", "other"]);
    for (const engine of sherpa.all()) expect((await engine.transcribe(said, { language: "en" })).length).toBe(2);
  });

  it("picks up models that are installed or removed and leaves the other engines unchanged", async () => {
    const [one, other] = await two();
    if (one === undefined || other === undefined) throw new Error("no models");
    const store = inMemoryModels([one]);
    const sherpa = await open(store);
    const [before] = sherpa.all();
    store.replace([{ ...one, speed: { factor: 2, threads: 1, at: "2026-01-01T00:00:00Z" } }, other]);
    expect(sherpa.all().map(({ id }) => id)).toEqual(["one", "other"]);
    expect(sherpa.all()[0]).toBe(before);
    expect(before?.keepsUp).toBe(false);
    store.replace([other]);
    expect(sherpa.all().map(({ id }) => id)).toEqual(["other"]);
  });

  it("holds a model while a dictation lasts or a job holds it", async () => {
    const store = inMemoryModels(await two());
    const engine = (await open(store)).all()[0];
    if (engine === undefined) throw new Error("no engine");
    const stream = await engine.openStream({ person: "ann", language: "en", onEvent: () => undefined, onError: () => undefined });
    expect(store.held).toEqual(["one"]);
    stream.close();
    await expect.poll(() => store.held).toEqual([]);
    const held = await engine.hold?.();
    expect(store.held).toEqual(["one"]);
    await held?.[Symbol.asyncDispose]();
    store.replace([]);
    await expect(engine.transcribe(said, { language: "en" })).rejects.toThrow('No model "one" is installed');
  });

  it("puts the model named by SPEECH_MODEL first", async () => {
    const sherpa = await open(inMemoryModels(await two()), { named: "other" });
    expect(sherpa.all().map(({ quality }) => quality?.isNamed)).toEqual([false, true]);
  });
});

describe("missing or broken models", () => {
  it("reports a missing models folder and an empty one", async () => {
    const engine = await engineIn(join(root, "absent"));
    expect(engine).toMatchObject({
      fault: "missing",
      languages: [],
      unavailable: expect.stringContaining("has no model"),
    });
    expect((await engineIn(await models({}))).fault).toBe("missing");
    await expect(engine.transcribe(voice(1, -20), { language: "en" })).rejects.toMatchObject({ code: "engineUnavailable" });
  });

  it.each(["three", "../one", "one/..", "."])("reports a configured name that matches no model: %s", async (name) => {
    const folder = await models({ one: ["a.onnx"] });
    expect(await engineIn(folder, name)).toMatchObject({ fault: "missing", unavailable: expect.stringContaining(`"${name}"`) });
  });

  it("reports an installed model whose files are gone", async () => {
    const folder = await models({ tiny: [] });
    const [engine] = (await open(inMemoryModels([installed({ id: "tiny", folder: join(folder, "tiny") })]))).all();
    await expect(engine?.transcribe(said, { language: "en" })).rejects.toMatchObject({ code: "engineUnavailable" });
    expect(engine).toMatchObject({ fault: "broken", unavailable: expect.stringContaining("empty") });
  });

  it.each([
    ["sherpa-onnx-whisper-tiny", ["tiny-encoder.onnx", "tiny-decoder.onnx", "tiny-tokens.txt"]],
    ["sherpa-onnx-streaming-zipformer-en", ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"]],
    ["sherpa-onnx-sense-voice", ["model.onnx", "tokens.txt"]],
  ])("reports files at which native code aborts as a broken model: %s", async (name, files) => {
    const engine = await engineIn(await models({ [name]: files }));
    expect(engine.fault).toBe("broken");
    expect(engine.unavailable).toContain(`The model ${name} can't be loaded. Download it again`);
    expect(engine.languages).toContain("en");
  });
});
