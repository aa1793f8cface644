import { describe, expect, test } from "vitest";
import { Transcription, VocabularyAnswer } from "#contract/index.ts";
import { promptOf } from "#server/speech/prompt.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, openScriptedStream, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";

const keep = async (person: Person, text: string) =>
  read(await person.call("PUT", "/users/me/vocabulary", { text, revision: 0 }), 200, VocabularyAnswer);

describe("what is expected", () => {
  test("in a file is the recording's vocabulary, then the account's, each word once", async () => {
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

  test("in a dictation, which conversations are made of, is the account's", async () => {
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

test("a prompt has as many of the first terms as Whisper reads", () => {
  expect(promptOf([])).toBeUndefined();
  expect(promptOf(["Ada Lovelace", "Grace"])).toBe("Ada Lovelace, Grace");
  const prompt = promptOf(Array.from({ length: 2_000 }, (_, at) => `Name${at}`)) ?? "";
  expect(prompt).toMatch(/^Name0, Name1, /);
  expect(prompt.length).toBeLessThanOrEqual(560);
  expect(Buffer.byteLength(promptOf(["語".repeat(200), "Ada", "語".repeat(150)]) ?? "")).toBeLessThanOrEqual(560);
  expect(promptOf(["語".repeat(200), "Ada"])).toBe("Ada");
});
