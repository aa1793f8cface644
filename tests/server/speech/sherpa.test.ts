import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { speechLanguages } from "#contract/index.ts";
import type { StreamEvent } from "#server/speech/engine.ts";
import { openSherpa } from "#server/speech/sherpa/engine.ts";
import { recogniseModel } from "#server/speech/sherpa/model.ts";
import { chunked, noise, silence, voice } from "./sound.ts";
import { writeTinyModel } from "./tiny-model.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-sherpa-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let count = 0;
/** A models folder with model folders in it, whose files hold noise. */
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

async function recognised(name: string, files: string[]) {
  return recogniseModel(join(await models({ [name]: files }), name));
}

describe("a model is recognised by its files", () => {
  it.each([
    ["sherpa-onnx-whisper-tiny", ["tiny-encoder.onnx", "tiny-decoder.onnx", "tiny-tokens.txt"], "whisper", speechLanguages],
    ["sherpa-onnx-whisper-tiny.en", ["tiny.en-encoder.onnx", "tiny.en-decoder.onnx", "tiny.en-tokens.txt"], "whisper", ["en"]],
    [
      "sherpa-onnx-moonshine-tiny-en-int8",
      ["preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx", "tokens.txt"],
      "moonshine",
      ["en"],
    ],
    [
      "sherpa-onnx-streaming-zipformer-fr-2023-04-14",
      ["encoder-epoch-29-avg-9.onnx", "decoder-epoch-29-avg-9.onnx", "joiner-epoch-29-avg-9.onnx", "tokens.txt"],
      "streamingTransducer",
      ["fr-FR"],
    ],
    ["sherpa-onnx-zipformer-en-2023-06-26", ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"], "transducer", ["en"]],
    [
      "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8",
      ["encoder.int8.onnx", "decoder.int8.onnx", "joiner.int8.onnx", "tokens.txt"],
      "transducer",
      speechLanguages.filter((language) => language !== "no-NO"),
    ],
    [
      "sherpa-onnx-streaming-paraformer-bilingual-zh-en",
      ["encoder.onnx", "decoder.onnx", "tokens.txt"],
      "streamingParaformer",
      ["en"],
    ],
    ["sherpa-onnx-paraformer-en", ["model.int8.onnx", "tokens.txt"], "paraformer", ["en"]],
    ["sherpa-onnx-sense-voice-zh-en-ja-ko-yue", ["model.int8.onnx", "model.onnx", "tokens.txt"], "senseVoice", ["auto", "en"]],
  ])("%s", async (name, files, kind, languages) => {
    expect(await recognised(name, files)).toMatchObject({ kind, languages });
  });

  it("takes the int8 files where there are both", async () => {
    const files = [
      "base-encoder.onnx",
      "base-encoder.int8.onnx",
      "base-decoder.onnx",
      "base-decoder.int8.onnx",
      "base-tokens.txt",
    ];
    const model = await recognised("sherpa-onnx-whisper-base", files);
    expect(model).toMatchObject({
      encoder: expect.stringMatching(/encoder\.int8\.onnx$/),
      decoder: expect.stringMatching(/decoder\.int8\.onnx$/),
    });
  });

  it.each([
    ["empty", [], /empty/],
    ["without-tokens", ["tiny-encoder.onnx", "tiny-decoder.onnx"], /tokens\.txt/],
    ["unknown", ["model.onnx", "tokens.txt"], /no kind that is known/],
    ["half", ["tiny-encoder.onnx", "tiny-tokens.txt"], /no kind that is known/],
  ])("says why not: %s", async (name, files, reason) => {
    expect(await recognised(name, files)).toMatch(reason);
  });
});

describe("a model that is there is used", () => {
  const open = async () => {
    const folder = await models({});
    await writeTinyModel(join(folder, "tiny-sense-voice"));
    return openSherpa({ modelsFolder: folder, threads: 1 });
  };
  const said = Buffer.concat([silence(2), voice(1, -20), silence(1.5), voice(1, -20), silence(1)]);

  it("recordings have words with the times at which they were said", async () => {
    const engine = await open();
    expect(engine).toMatchObject({ unavailable: undefined, languages: ["auto", "en"], name: "sherpa-onnx (tiny-sense-voice)" });
    const segments = await engine.transcribe(said, { language: "en" });
    expect(segments).toHaveLength(2);
    expect(segments[0]?.text).toMatch(/^Hey( hey)*$/);
    expect([segments[0]?.start, segments[1]?.start]).toEqual([expect.closeTo(2.1, 0), expect.closeTo(4.6, 0)]);
    expect(await engine.transcribe(silence(2), { language: "auto" })).toEqual([]);
    await engine.close();
  });

  it("dictation comes through the same model", async () => {
    const engine = await open();
    const events: StreamEvent[] = [];
    const stream = await engine.openStream({
      language: "auto",
      onEvent: (event) => events.push(event),
      onError: (error) => expect.fail(error.message),
    });
    for (const chunk of chunked(said, [3200])) await stream.write(chunk);
    await stream.end();
    const finals = events.flatMap((event) => (event.type === "final" ? [event.segment] : []));
    expect(finals.map(({ text }) => text)).toEqual([expect.stringMatching(/^Hey/), expect.stringMatching(/^Hey/)]);
    await engine.close();
  });
});

describe("what is missing or broken is reported, and nothing crashes", () => {
  const open = async (modelsFolder: string, model?: string) => {
    const engine = await openSherpa({ modelsFolder, model, threads: 1 });
    await engine.close();
    return engine;
  };

  it("no models folder, or nothing in it", async () => {
    const engine = await open(join(root, "absent"));
    expect(engine).toMatchObject({
      fault: "missing",
      languages: [],
      unavailable: expect.stringContaining("There is no model in"),
    });
    expect((await open(await models({}))).fault).toBe("missing");
    await expect(engine.transcribe(voice(1, -20), { language: "en" })).rejects.toMatchObject({ code: "engineUnavailable" });
  });

  it("several models, none of them named", async () => {
    const folder = await models({ one: ["a.onnx"], two: ["b.onnx"] });
    expect((await open(folder)).unavailable).toMatch(/SPEECH_MODEL \(one, two\)/);
  });

  it.each(["three", "../one", "one/..", "."])("a name that is no folder there: %s", async (name) => {
    const folder = await models({ one: ["a.onnx"] });
    expect(await open(folder, name)).toMatchObject({ fault: "missing", unavailable: expect.stringContaining(`"${name}"`) });
  });

  it("an empty model folder", async () => {
    expect(await open(await models({ tiny: [] }))).toMatchObject({
      fault: "broken",
      unavailable: expect.stringContaining("empty"),
    });
  });

  it.each([
    ["sherpa-onnx-whisper-tiny", ["tiny-encoder.onnx", "tiny-decoder.onnx", "tiny-tokens.txt"]],
    ["sherpa-onnx-streaming-zipformer-en", ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"]],
    ["sherpa-onnx-sense-voice", ["model.onnx", "tokens.txt"]],
  ])("files that are no models, at which native code aborts: %s", async (name, files) => {
    const engine = await open(await models({ [name]: files }));
    expect(engine.fault).toBe("broken");
    expect(engine.unavailable).toContain(`The model ${name} can't be loaded. Download it again`);
    expect(engine.languages).toContain("en");
  });
});
