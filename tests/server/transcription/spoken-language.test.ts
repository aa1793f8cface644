import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { spokenLanguage } from "#server/transcription/spoken-language.ts";
import { base, type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { history } from "./saved.ts";

/** An engine that detects the spoken language but doesn't report it. */
const detects = { forLanguage: () => ({ language: "auto" as const }) };

describe("spokenLanguage", () => {
  test("detects the language of the text in the contract's spelling and keeps a chosen language", async () => {
    const found = (text: string, more: { except?: string } = {}) =>
      spokenLanguage("auto", { engines: detects, use: "files", text, ...more });
    expect(await found("Wir treffen uns morgen früh am Bahnhof und fahren zusammen in die Stadt.")).toBe("de-DE");
    expect(await found("Nos vemos mañana por la mañana en la estación y vamos juntos a la ciudad.")).toBe("es-ES");
    expect(await found("Vi mødes i morgen tidlig på stationen og tager sammen ind til byen.")).toBe("da");
    expect(await found("Nos vemos mañana por la mañana en la estación.", { except: "es" })).not.toBe("es-ES");
    expect(await found(" ")).toBe("auto");
    expect(await found("1, 2, 3")).toBe("auto");
    expect(await spokenLanguage("fr-FR", { engines: detects, use: "files", text: "good morning" })).toBe("fr-FR");
  });
});

const german = "Wir treffen uns morgen früh am Bahnhof und fahren zusammen in die Stadt.";

/** Checks that neither the history nor an export contains "auto". */
async function expectNoAuto(person: Person, id: string): Promise<void> {
  expect((await history(person)).data.map(({ sourceLanguage }) => sourceLanguage)).toEqual(["de-DE"]);
  for (const format of ["json", "txt", "srt", "vtt"]) {
    const answer = await person.call("GET", `${base}/transcription/${id}/export?format=${format}`);
    expect(answer.headers.get("Content-Disposition")).not.toContain("auto");
    expect(await answer.text()).not.toContain("auto");
  }
}

describe("a detected language", () => {
  const begin = async () => {
    const transcribe = async () => [segment(german, 0, 4)];
    return signUp(await startTestServer({ engines: scriptedEngines({ languages: ["auto", "en", "de-DE"], transcribe }) }));
  };

  test('replaces "auto" by the detected language of a file', async () => {
    const person = await begin();
    const made = await read(await upload(person, buzzWav(4), { fields: { sourceLanguage: "auto" } }), 202, Transcription);
    expect(made.sourceLanguage).toBe("auto");
    expect((await settled(person, made.id)).sourceLanguage).toBe("de-DE");
    await expectNoAuto(person, made.id);
  });

  test('replaces "auto" by the detected language of a dictation', async () => {
    const person = await begin();
    const final = { clientId: crypto.randomUUID(), title: "", text: german, segments: [segment(german, 0, 4)] };
    const more = { sourceLanguage: "auto", targetLanguage: null, date: "2026-03-01T10:00:00.000Z" };
    const answer = await person.call("POST", `${base}/save-final-transcription`, { ...final, ...more });
    const { id, sourceLanguage } = await read(answer, 200, Transcription);
    expect(sourceLanguage).toBe("de-DE");
    await expectNoAuto(person, id);
  });

  test('replaces "auto" on one side of a conversation and keeps the other side\'s language', async () => {
    const person = await begin();
    const path = `${base}/conversations/${crypto.randomUUID()}/turns/`;
    const say = async (text: string, sourceLanguage: string, targetLanguage: string, minute: number) => {
      const date = `2026-03-01T10:0${minute}:00.000Z`;
      const turn = { languages: ["auto", "es-ES"], sourceLanguage, targetLanguage, title: "", date };
      const said = { ...turn, segments: [{ ...segment(text, 0, 0), words: [], translation: "…" }] };
      return read(await person.call("PUT", path + crypto.randomUUID(), said), 200, Transcription);
    };
    await say(german, "auto", "es", 0);
    const { id, sourceLanguage, targetLanguage, segments } = await say("Nos vemos mañana en la estación.", "es-ES", "de", 1);
    expect([sourceLanguage, targetLanguage]).toEqual(["de-DE", "es"]);
    expect(segments.map(({ language, translationLanguage }) => [language, translationLanguage])).toEqual([
      [undefined, undefined],
      ["es-ES", "de"],
    ]);
    await expectNoAuto(person, id);
  });

  test('resolves "auto" to English when English is the only language', async () => {
    const person = await signUp(await startTestServer());
    const { id } = await read(await upload(person, buzzWav(4), { fields: { sourceLanguage: "auto" } }), 202, Transcription);
    expect((await settled(person, id)).sourceLanguage).toBe("en");
  });
});
