import { describe, expect, test } from "vitest";
import { Transcription, VocabularyAnswer } from "#contract/index.ts";
import { promptOf } from "#server/speech/prompt.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { base, type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, openScriptedStream, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { change, save } from "#tests/server/transcription/saved.ts";

const keep = async (person: Person, text: string) =>
  read(await person.call("PUT", "/users/me/vocabulary", { text, revision: 0 }), 200, VocabularyAnswer);

describe("the expected words", () => {
  test("passes a recording's own words to the engine before the account's, each word once", async () => {
    const given: (readonly string[] | undefined)[] = [];
    const transcribe = async (_: Buffer, { vocabulary }: { vocabulary?: readonly string[] }) => {
      given.push(vocabulary);
      return [segment("one", 0, 5)];
    };
    const server = await startTestServer({ engines: scriptedEngines({ transcribe }) });
    const person = await signUp(server);
    await keep(person, "Ada\nGrace\ncooper netties → Kubernetes");
    for (const vocabulary of ["Alan, Grace", ""]) {
      const { id } = await read(await upload(person, buzzWav(3), { fields: { vocabulary } }), 202, Transcription);
      await settled(person, id);
    }
    expect(given).toEqual([
      ["Alan", "Grace", "Ada", "Kubernetes"],
      ["Ada", "Grace", "Kubernetes"],
    ]);
  });

  test("passes the account's words to the engine in a dictation", async () => {
    const given: (readonly string[] | undefined)[] = [];
    const openStream: typeof openScriptedStream = (options) => {
      given.push(options.vocabulary);
      return openScriptedStream(options);
    };
    const server = await startTestServer({ engines: scriptedEngines({ openStream }) });
    const person = await signUp(server);
    await keep(person, "Ada");
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 5);
    live.say({ type: "end", frames: 5 });
    await live.next("done");
    expect(given).toEqual([["Ada"]]);
  });
});

// PROMISE vocabulary: A person keeps up to 2,000 words to expect and how to write them
describe("replacements from the vocabulary", () => {
  const lines = "w one>ignored\npiece seven → Piece 7\nw1 w2 → W-Twelve";

  test("replaces words in files, the recording's lines first, and restores them by a correction", async () => {
    const transcribe = async () => [segment("the piece seven of cloud", 0, 5)];
    const server = await startTestServer({ engines: scriptedEngines({ transcribe }) });
    const person = await signUp(server);
    await keep(person, `${lines}\ncloud → Cloud`);
    const fields = { vocabulary: "cloud → Claude", targetLanguage: "es" };
    const { id } = await read(await upload(person, buzzWav(3), { fields }), 202, Transcription);
    const done = await settled(person, id);
    expect(done.text).toBe("the Piece 7 of Claude");
    expect(done.segments[0]).toMatchObject({
      translation: "es:the Piece 7 of Claude",
      words: [
        { text: "the", start: 0, end: 1 },
        { text: "Piece 7", start: 1, end: 3, heard: "piece seven" },
        { text: "of" },
        { text: "Claude", heard: "cloud" },
      ],
    });
    const exported = await person.call("GET", `${base}/transcription/${id}/export?format=json`);
    expect(await exported.text()).toContain('"heard": "piece seven"');
    const put = await change(person, id, { edits: [{ index: 0, text: "the piece seven of Claude" }] });
    expect(put.segments[0]?.words.map(({ text, heard }) => [text, heard])).toEqual([
      ["the", undefined],
      ["piece", undefined],
      ["seven", undefined],
      ["of", undefined],
      ["Claude", "cloud"],
    ]);
  });

  test("replaces words in the final text of a dictation", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    await keep(person, lines);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 20);
    const { segment: final } = await live.next("final");
    expect(final.text).toBe("w0 W-Twelve w3");
    expect(final.words[1]).toEqual({ text: "W-Twelve", start: 1, end: 3, heard: "w1 w2" });
    live.say({ type: "end", frames: 20 });
    const { segments } = await live.next("done");
    expect(segments[0]).toEqual(final);
    const saved = await save(person, { recordingId: live.recordingId, segments, text: final.text });
    expect(saved.segments[0]?.words[1]?.heard).toBe("w1 w2");
  });
});

test("limits a prompt to as many terms as Whisper reads", () => {
  expect(promptOf([])).toBeUndefined();
  expect(promptOf(["Ada Lovelace", "Grace"])).toBe("Ada Lovelace, Grace");
  const prompt = promptOf(Array.from({ length: 2_000 }, (_, at) => `Name${at}`)) ?? "";
  expect(prompt).toMatch(/^Name0, Name1, /);
  expect(prompt.length).toBeLessThanOrEqual(560);
  expect(Buffer.byteLength(promptOf(["語".repeat(200), "Ada", "語".repeat(150)]) ?? "")).toBeLessThanOrEqual(560);
  expect(promptOf(["語".repeat(200), "Ada"])).toBe("Ada");
});
