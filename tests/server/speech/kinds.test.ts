import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelKind, Segment } from "#contract/index.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { SherpaEngine } from "#server/speech/sherpa/engine.ts";
import { openSherpa, type SherpaEngines } from "#server/speech/sherpa/engines.ts";
import { hotwordsOf, vocabFromModel } from "#server/speech/sherpa/hotwords.ts";
import type { StreamEvent } from "#speech/stream.ts";
import { writeTinyHearing } from "#tests/fixtures/tiny-hearing.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";
import { chunked, silence, voice } from "./sound.ts";

// The real sherpa-onnx loads a tiny model of each kind and recognizes with it.

const kinds = [
  "whisper",
  "canary",
  "moonshine",
  "nemoCtc",
  "nemoTransducer",
  "transducer",
  "streamingTransducer",
  "paraformer",
  "streamingParaformer",
] as const satisfies ModelKind[];
type Kind = (typeof kinds)[number];

let root: string;
let sherpa: SherpaEngines;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-kinds-"));
  for (const kind of kinds) await writeTinyHearing(join(root, kind), kind);
  const models = kinds.map((kind) => {
    const languages = kind === "whisper" || kind === "canary" ? ["de", "en", "es", "fr"] : ["en"];
    return installed({ id: kind, kind, folder: join(root, kind), languages });
  });
  sherpa = await openSherpa({ models: inMemoryModels(models), modelsFolder: root, named: undefined, threads: 1 });
});
afterAll(async () => {
  await sherpa.close();
  await rm(root, { recursive: true, force: true });
});

function engineOf(kind: Kind): SpeechEngine {
  const engine = sherpa.all().find(({ id }) => id === kind);
  if (engine === undefined) throw new Error(`no ${kind}`);
  return engine;
}

/** The word that occurs most; beam search may pick another word at the edges of loud parts. */
const mostOf = (text: string) => {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => word === "yeah").length > words.length / 2 ? "yeah" : "hey";
};
const said = Buffer.concat([silence(2), voice(1, -20), silence(2), voice(1, -20), silence(1)]);
const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(" | ");

describe("recordings", () => {
  it.each(["nemoCtc", "nemoTransducer", "transducer", "streamingTransducer"] as const)(
    "%s recognizes loud parts at their times",
    async (kind) => {
      const segments = await engineOf(kind).transcribe(said, { language: "en" });
      expect(segments).toHaveLength(2);
      for (const { text } of segments) expect(text).toMatch(/^Hey( hey)*$/);
      expect([segments[0]?.start, segments[1]?.start]).toEqual([expect.closeTo(2, 0), expect.closeTo(5, 0)]);
      expect(await engineOf(kind).transcribe(silence(2), { language: "en" })).toEqual([]);
    },
  );

  it.each(["moonshine", "paraformer", "streamingParaformer"] as const)("%s recognizes without word times", async (kind) => {
    const [segment] = await engineOf(kind).transcribe(said, { language: "en" });
    expect(segment?.text).toMatch(/^Hey( hey)*$/);
    expect(segment?.start).toBeGreaterThan(1.5);
  });

  it("passes Whisper the language of each recording and uses Whisper's own times", async () => {
    const whisper = engineOf("whisper");
    expect(whisper.languages).toContain("auto");
    const [english] = await whisper.transcribe(said, { language: "en" });
    expect(english).toMatchObject({ text: "Hey", start: expect.closeTo(1.64), end: expect.closeTo(2.64) });
    expect(textOf(await whisper.transcribe(said, { language: "de-DE" }))).toBe("Hallo");
    expect(textOf(await whisper.transcribe(said, { language: "auto" }))).toBe("Hey");
  });

  it("cuts recordings at pauses so that Whisper gets at most 29.5 s at once", async () => {
    const minute = Buffer.concat(Array.from({ length: 5 }, () => [voice(11, -20), silence(1)]).flat());
    const segments = await engineOf("whisper").transcribe(minute, { language: "en" });
    expect(segments.length).toBeGreaterThanOrEqual(3);
    expect(segments.at(-1)?.start).toBeGreaterThan(30);
  });

  it("passes Canary the spoken language", async () => {
    const canary = engineOf("canary");
    expect(canary.languages).not.toContain("auto");
    expect(textOf(await canary.transcribe(said, { language: "en" }))).toBe("Hey");
    expect(textOf(await canary.transcribe(said, { language: "es-ES" }))).toBe("Oye");
    expect(textOf(await canary.transcribe(said, { language: "fr-FR" }))).toBe("Hé");
  });
});

describe("translation during recognition", () => {
  it("writes Whisper's English translation beside the original text", async () => {
    const whisper = engineOf("whisper");
    expect(whisper.translates?.("de-DE", "en")).toBe(true);
    expect(whisper.translates?.("de-DE", "fr")).toBe(false);
    expect(whisper.translates?.("en", "en")).toBe(false);
    const segments = await whisper.transcribe(said, { language: "de-DE", target: "en" });
    expect(segments.map(({ text, translation }) => [text, translation])).toEqual([["Hallo", "Hello"]]);
    // A target that Whisper can't translate into causes no failure.
    expect((await whisper.transcribe(said, { language: "de-DE", target: "fr" }))[0]?.translation).toBeUndefined();
  });

  it("translates with Canary into any of its languages", async () => {
    const canary = engineOf("canary");
    const [segment] = await canary.transcribe(said, { language: "de-DE", target: "es" });
    expect(segment).toMatchObject({ text: "He", translation: "Oye" });
    expect(canary.translates?.("it-IT", "en")).toBe(false);
  });

  it("translates a long recording in parts of at most 15 s", async () => {
    const long = Buffer.concat(Array.from({ length: 4 }, () => [voice(9, -20), silence(1)]).flat());
    const segments = await engineOf("canary").transcribe(long, { language: "de-DE", target: "en" });
    expect(segments.map(({ translation }) => translation)).toEqual(["Hey", "Hey", "Hey", "Hey"]);
  });
});

describe("expected words", () => {
  it.each(["transducer", "streamingTransducer"] as const)("%s prefers the expected words", async (kind) => {
    const engine = engineOf(kind);
    expect(engine.vocabulary).toBe(true);
    expect(mostOf(textOf(await engine.transcribe(said, { language: "en", vocabulary: ["Zürich 7", "yeah"] })))).toBe("yeah");
    expect(mostOf(textOf(await engine.transcribe(said, { language: "en" })))).toBe("hey");
  });

  it("ignores expected words with models that don't support them", async () => {
    expect(engineOf("nemoCtc").vocabulary).toBe(false);
    expect(textOf(await engineOf("nemoCtc").transcribe(said, { language: "en", vocabulary: ["yeah"] }))).toMatch(/^Hey/);
  });

  it("ignores expected words when the model's pieces are damaged", async () => {
    const folder = join(root, "damaged");
    await writeTinyHearing(folder, "transducer");
    await writeFile(join(folder, "bpe.model"), "no protocol buffer");
    const models = inMemoryModels([installed({ id: "damaged", kind: "transducer", folder })]);
    const damaged = await openSherpa({ models, modelsFolder: root, named: undefined, threads: 1 });
    const [engine] = damaged.all();
    expect(textOf((await engine?.transcribe(said, { language: "en", vocabulary: ["yeah"] })) ?? [])).toMatch(/^Hey/);
    expect(engine).toMatchObject({ vocabulary: false, unavailable: undefined });
    await damaged.close();
  });

  it("writes expected words in the model's pieces and leaves out words with unknown letters", () => {
    const tokens = "<blk> 0\n▁HE 1\nY 2\n▁YEAH 3\n";
    expect(hotwordsOf("Hey  yeah\nZoé\n\nhe/ya\nHEY YEAH", tokens)).toBe("HEY YEAH/HE YA");
    expect(hotwordsOf("Zoé", tokens)).toBeUndefined();
  });

  it("reads the vocabulary from SentencePiece's own file", () => {
    expect(vocabFromModel(join(root, "transducer", "bpe.model"))).toBe("<unk>\t0\n▁HEY\t-1\n▁YEAH\t-2\n");
  });
});

describe("dictation with each kind of model", () => {
  it.each(["streamingTransducer", "streamingParaformer", "nemoCtc", "whisper"] as const)(
    "%s sends words while somebody speaks and final text afterwards",
    async (kind) => {
      const events: StreamEvent[] = [];
      const stream = await engineOf(kind).openStream({
        person: "ann",
        language: "en",
        onEvent: (event) => events.push(event),
        onError: (error) => expect.fail(error.message),
      });
      for (const chunk of chunked(Buffer.concat([silence(1), voice(5, -20)]), [3200])) await stream.write(chunk);
      await expect.poll(() => events.some(({ type }) => type === "partial")).toBe(true);
      await stream.write(Buffer.concat([silence(1.5), voice(1, -20), silence(1)]));
      await stream.end();
      const finals = events.flatMap((event) => (event.type === "final" ? [event.segment.text] : []));
      expect(finals).toEqual([expect.stringMatching(/^Hey/), expect.stringMatching(/^Hey/)]);
    },
  );
});

describe("an engine process that crashes", () => {
  it("fails the request whose process crashes and starts a new process for the next", async () => {
    const whisper = engineOf("whisper");
    // sherpa-onnx ends the whole process when a model does not know a language.
    await expect(whisper.transcribe(said, { language: "it-IT" })).rejects.toMatchObject({ code: "engineFailed" });
    expect(textOf(await whisper.transcribe(said, { language: "en" }))).toBe("Hey");
    expect(whisper).toBeInstanceOf(SherpaEngine);
  });
});
