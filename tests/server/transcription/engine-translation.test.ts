import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EnginesAnswer, type Segment, Transcription } from "#contract/index.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { gatherEngines } from "#server/speech/engines.ts";
import { openSherpa, type SherpaEngines } from "#server/speech/sherpa/engines.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { engineTranslated, markEngineTranslation } from "#server/transcription/engine-translation.ts";
import { gatherTranslation, type Translation } from "#server/translation/index.ts";
import { writeTinyHearing } from "#tests/fixtures/tiny-hearing.ts";
import { read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";
import { silence, voice } from "#tests/server/speech/sound.ts";

// The real sherpa-onnx with a tiny Whisper and a tiny Canary, which write a different word when they translate.

const said = Buffer.concat([silence(1), voice(1, -20), silence(1)]);
const wav = new Uint8Array(Buffer.concat([wavHeader(said.length / 2), said]));
const nothing = gatherTranslation([]);

let root: string;
let sherpa: SherpaEngines;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-engine-translation-"));
  const kinds = ["whisper", "canary"] as const;
  for (const kind of kinds) await writeTinyHearing(join(root, kind), kind);
  const models = kinds.map((kind) =>
    installed({ id: kind, kind, folder: join(root, kind), languages: ["de", "en", "es", "fr"] }),
  );
  sherpa = await openSherpa({ models: inMemoryModels(models), modelsFolder: root, named: undefined, threads: 1 });
});
afterAll(async () => {
  await sherpa.close();
  await rm(root, { recursive: true, force: true });
});

const tiny = (kind: string): SpeechEngine[] => sherpa.all().filter(({ id }) => id === kind);

/** The server closes its engines when it closes; these are shared between servers. */
const lent = (engines: SpeechEngine[]) => ({ ...gatherEngines(engines), close: async () => {} });

async function transcribed(engines: SpeechEngine[], translation: Translation, sourceLanguage: string, targetLanguage: string) {
  const server = await startTestServer({ engines: lent(engines), translation });
  const person = await signUp(server);
  const answer = await upload(person, wav, { fields: { sourceLanguage, targetLanguage } });
  if (answer.status !== 202) return { refusal: await refusal(answer) };
  return settled(person, (await read(answer, 202, Transcription)).id);
}

describe("a language pair that no text engine serves", () => {
  it.each([
    ["whisper", "de-DE", "en", "Hallo", "Hello"],
    ["canary", "de-DE", "es", "He", "Oye"],
  ])("translates with %s during recognition and keeps each segment's time", async (kind, source, target, text, translation) => {
    const done = await transcribed(tiny(kind), nothing, source, target);
    expect(done).toMatchObject({ status: "completed", text, translatedText: translation, targetLanguage: target, error: null });
    const [first, ...others] = "segments" in done ? (done.segments ?? []) : [];
    expect(others).toEqual([]);
    expect(first).toMatchObject({ text, translation });
    expect(first).not.toHaveProperty("translationLanguage");
    expect(first?.start).toBeCloseTo(1, 0);
  });

  it("refuses a target language that neither a text engine nor the speech engine supports", async () => {
    expect(await transcribed(tiny("whisper"), nothing, "de-DE", "fr")).toEqual({ refusal: "422 translationUnavailable" });
  });

  it("keeps the recognized text with an error when a segment stays untranslated", async () => {
    const [whisper] = tiny("whisper");
    if (whisper === undefined) throw new Error("no Whisper");
    const halting: SpeechEngine = {
      ...whisper,
      id: "halting",
      languages: ["de-DE"],
      unavailable: undefined,
      name: "Halting",
      offline: true,
      parallel: 1,
      translates: (_, target) => target === "en",
      transcribe: async () => [{ ...segment("eins", 0, 1), translation: "one" }, segment("zwei", 1, 2)],
    };
    const done = await transcribed([halting], nothing, "de-DE", "en");
    expect(done).toMatchObject({ status: "completed", text: "eins zwei", error: { code: "translationFailed" } });
  });
});

// PROMISE translation: Whisper and Canary translate speech where no engine for text serves the pair
it("prefers a text engine to the speech engine for a pair that both serve", async () => {
  const translation = gatherTranslation([
    {
      id: "bergamot",
      name: "Scripted",
      offline: true,
      unavailable: undefined,
      pairs: [{ source: "de", target: "en" }],
      translate: async (texts) => texts.map((text) => `by text: ${text}`),
    },
  ]);
  expect(await transcribed(tiny("whisper"), translation, "de-DE", "en")).toMatchObject({ translatedText: "by text: Hallo" });
});

it("lists the target languages of a speech engine in GET /api/v1/engines", async () => {
  const server = await startTestServer({ engines: lent(tiny("canary")), translation: nothing });
  const { speech } = await read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer);
  const option = (code: string) => speech.languages.find((language) => language.code === code)?.translatesTo;
  expect(option("de-DE")).toEqual(["en", "es", "fr"]);
  expect(option("it-IT")).toBeUndefined();
});

describe("markEngineTranslation", () => {
  const heard: Segment[] = [{ ...segment("eins", 0, 1), translation: "one" }];
  it("uses an engine's translation only for its own target language", () => {
    const marked = markEngineTranslation(heard, "en");
    expect(engineTranslated(marked, "en")).toEqual(heard);
    expect(engineTranslated(marked, "fr")).toBeUndefined();
    expect(engineTranslated([], "en")).toBeUndefined();
    expect(engineTranslated([...marked, segment("zwei", 1, 2)], "en")).toBeUndefined();
  });
});
