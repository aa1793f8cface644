import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Transcription, Usage } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import {
  base,
  getTranscription,
  type Person,
  read,
  refusal,
  signInAgain,
  signUp,
  startTestServer,
  testClock,
} from "#tests/server/harness.ts";
import { scriptedTranslation } from "#tests/server/jobs/scripted.ts";
import { useUp } from "#tests/server/subscription/used-up.ts";
import { change, history, save } from "#tests/server/transcription/saved.ts";
import { frameOf, here, say, talk } from "./talking.ts";

const there = { languages: ["en", "es-ES"], sourceLanguage: "es-ES", targetLanguage: "en" };
async function begin(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  const person = await signUp(server);
  return { server, person, conversation: talk(server, person) };
}

const linesOf = ({ segments }: Transcription) => segments.map(({ text, start, end }) => `${text} ${start}-${end}`);

describe("PUT /conversations/{id}/turns/{turn}", () => {
  test("keeps a conversation's words and audio when a dictation names its turn as a recording", async () => {
    const { person, conversation } = await begin();
    const turn = await conversation.record(2, 1);
    const made = await conversation.save(turn, 0, { ...here, segments: [say("two rolls", "dos panecillos", 1.5)] });
    const dictated = await save(person, { recordingId: turn, text: "other words" });
    expect(dictated).toMatchObject({ text: "other words", hasAudio: false });
    expect(await getTranscription(person, made.id)).toEqual(made);
    expect(await conversation.save(turn, 0, { ...here, segments: [say("two rolls", "dos panecillos", 1.5)] })).toEqual(made);
  });

  test("stores the turns of a conversation as one transcription with one audio", async () => {
    const { person, conversation } = await begin();
    const first = await conversation.record(2, 1);
    const made = await conversation.save(first, 0, { ...here, segments: [say("two rolls", "dos panecillos", 1.5)] });
    expect(made).toMatchObject({
      title: "At the baker's",
      origin: "conversation",
      status: "completed",
      sourceLanguage: "en",
      targetLanguage: "es",
      durationSeconds: 2,
      engine: "moonshine-tiny-en",
      date: "2026-03-01T12:00:00.000Z",
      error: null,
    });
    const second = await conversation.record(1, 2);
    const both = await conversation.save(second, 1, { ...there, segments: [say("son dos euros", "that is two euros", 1)] });
    expect(both).toMatchObject({ id: made.id, durationSeconds: 3, text: "two rolls son dos euros" });
    expect(both.translatedText).toBe("dos panecillos that is two euros");
    expect(both.segments).toEqual([
      { ...say("two rolls", "dos panecillos", 1.5), turn: first },
      {
        start: 2,
        end: 3,
        text: "son dos euros",
        words: [{ text: "son dos euros", start: 2, end: 3 }],
        translation: "that is two euros",
        language: "es-ES",
        translationLanguage: "en",
        turn: second,
      },
    ]);
    expect(await conversation.audio(made.id)).toEqual([1, 1, 2]);
    expect((await history(person)).data).toMatchObject([{ id: made.id, origin: "conversation", hasAudio: true }]);
    expect((await history(person, "?search=two%20euros")).data).toHaveLength(1);
    const exported = await person.call("GET", `${base}/transcription/${made.id}/export?format=json`);
    expect(JSON.parse(await exported.text())).toMatchObject({ segments: both.segments });
    const part = await person.call("GET", `${base}/transcription/${made.id}/audio`, undefined, { Range: "bytes=64044-" });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 32_000]);
  });

  test("keeps the owner's languages when the other side begins the conversation", async () => {
    const { conversation } = await begin();
    const made = await conversation.save(crypto.randomUUID(), 0, { ...there, segments: [say("hola", "hello", 0)] });
    expect(made).toMatchObject({ sourceLanguage: "en", targetLanguage: "es", hasAudio: false, durationSeconds: null });
    expect(made.segments).toMatchObject([{ language: "es-ES", translationLanguage: "en" }]);
  });

  test("accepts typed turns without sound", async () => {
    const { conversation } = await begin();
    const spoken = await conversation.record(1, 1);
    await conversation.save(spoken, 0, { ...here, segments: [say("good day", "buenos días", 1)] });
    const typed = crypto.randomUUID();
    const made = await conversation.save(typed, 1, { ...there, segments: [say("adiós", "goodbye", 3)] });
    expect(linesOf(made)).toEqual(["good day 0-1", "adiós 1-1"]);
    expect(await conversation.audio(made.id)).toEqual([1]);
  });

  test("orders turns by date, whenever they are saved", async () => {
    const { conversation } = await begin();
    const [a, b, c] = [await conversation.record(1, 1), await conversation.record(2, 2), await conversation.record(1, 3)];
    await conversation.save(a, 0, { ...here, segments: [say("a", "A", 1)] });
    await conversation.save(c, 2, { ...here, segments: [say("c", "C", 1)] });
    const made = await conversation.save(b, 1, { ...there, segments: [say("b", "B", 2)] });
    expect(linesOf(made)).toEqual(["a 0-1", "b 1-3", "c 3-4"]);
    expect(await conversation.audio(made.id)).toEqual([1, 2, 2, 3]);
  });

  test("loses no turn when all are saved at the same time", async () => {
    const { conversation } = await begin();
    const turns = await Promise.all([1, 2, 3, 4].map(async (value) => ({ value, id: await conversation.record(1, value) })));
    await Promise.all(
      turns.toReversed().map(({ id, value }) => conversation.save(id, value, { ...here, segments: [say(`t${value}`, "", 1)] })),
    );
    const made = await conversation.save(crypto.randomUUID(), 9, { ...here, segments: [] });
    expect(linesOf(made)).toEqual(["t1 0-1", "t2 1-2", "t3 2-3", "t4 3-4"]);
    expect(await conversation.audio(made.id)).toEqual([1, 2, 3, 4]);
  });

  test("keeps conversations with the same ids of two users apart", async () => {
    const { server, conversation } = await begin();
    const turn = await conversation.record(1, 1);
    const { id } = await conversation.save(turn, 0, { ...here, segments: [say("mine", "mío", 1)] });
    const other = await signUp(server);
    const theirs = await read(
      await conversation.put(turn, { ...here, segments: [say("theirs", "suyo", 1)], date: "2026-03-01T12:00:00Z" }, other),
      200,
      Transcription,
    );
    expect(theirs.id).not.toBe(id);
    expect(theirs).toMatchObject({ text: "theirs", hasAudio: false });
    const nobody = await fetch(`${server.apiUrl}${base}/conversations/${conversation.id}/turns/${turn}`, { method: "DELETE" });
    expect(await refusal(nobody)).toBe("401 unauthorized");
  });

  test("restores a deleted conversation when another turn arrives", async () => {
    const { person, conversation } = await begin();
    const { id } = await conversation.save(crypto.randomUUID(), 0, { ...here, segments: [say("one", "uno", 0)] });
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    await conversation.save(crypto.randomUUID(), 1, { ...here, segments: [say("two", "dos", 0)] });
    expect((await history(person)).data).toMatchObject([{ id, text: "one two" }]);
  });

  test.each<[string, (talk: ReturnType<typeof import("#tests/server/harness.ts").asPerson>) => Promise<Response>]>([
    ["a name that is none", (p) => p.call("PUT", `${base}/conversations/1/turns/${crypto.randomUUID()}`, {})],
    [
      "a turn without words",
      (p) => p.call("PUT", `${base}/conversations/${crypto.randomUUID()}/turns/${crypto.randomUUID()}`, here),
    ],
    [
      "a language that is none",
      (p) =>
        p.call("PUT", `${base}/conversations/${crypto.randomUUID()}/turns/${crypto.randomUUID()}`, {
          ...here,
          sourceLanguage: "-",
          segments: [],
          title: "",
          date: "2026-03-01T12:00:00Z",
        }),
    ],
  ])("refuses a turn with %s", async (_, call) => {
    const { person } = await begin();
    expect(await refusal(await call(person))).toBe("400 badRequest");
  });

  test("refuses a conversation under the id of another transcription", async () => {
    const { server, person } = await begin();
    const clientId = crypto.randomUUID();
    const final = { clientId, title: "Note", text: "a note", segments: [], sourceLanguage: "en", targetLanguage: null };
    await person.call("POST", `${base}/save-final-transcription`, { ...final, date: "2026-03-01T12:00:00Z" });
    const answer = await talk(server, person, clientId).put(crypto.randomUUID(), {
      ...here,
      segments: [],
      date: "2026-03-01T12:00:00Z",
    });
    expect(await refusal(answer)).toBe("409 conflict");
  });
});

describe("a turn of a conversation", () => {
  test("saves a turn once and accepts its translation later", async () => {
    const { server, conversation } = await begin();
    const turn = await conversation.record(1, 1);
    const { translation: _, ...bare } = say("good day", "", 1);
    const made = await conversation.save(turn, 0, { ...here, segments: [bare] });
    expect(await conversation.save(turn, 0, { ...here, segments: [bare] })).toEqual(made);
    const translated = await conversation.save(turn, 0, { ...here, segments: [say("good day", "buenos días", 1)] });
    expect(translated).toMatchObject({ text: "good day", translatedText: "buenos días" });
    expect(await conversation.save(turn, 0, { ...here, segments: [say("bad day", "malos días", 1)] })).toEqual(translated);
    expect(await conversation.audio(made.id)).toEqual([1]);
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
  });

  test("keeps a turn's correction and retranslates each side in its own direction", async () => {
    const asked: string[] = [];
    const translation = scriptedTranslation();
    const { person, conversation } = await begin({
      translation: {
        ...translation,
        supports: () => true,
        translate: async (texts, { source, target }) => {
          asked.push(`${source}>${target}: ${texts.join(", ")}`);
          return texts.map((text) => `${target}:${text}`);
        },
      },
    });
    await conversation.save(crypto.randomUUID(), 0, { ...here, segments: [say("good day", "buenos días", 0)] });
    const last = crypto.randomUUID();
    const { id } = await conversation.save(last, 1, { ...there, segments: [say("ola", "wave", 0)] });
    const corrected = await change(person, id, {
      edits: [
        { index: 1, text: "hola" },
        { index: 0, text: "good night" },
      ],
    });
    expect(asked.toSorted()).toEqual(["en>es: good night", "es-ES>en: hola"]);
    expect(corrected.segments).toMatchObject([
      { text: "good night", translation: "es:good night" },
      { text: "hola", translation: "en:hola", language: "es-ES", translationLanguage: "en", turn: last },
    ]);
    await conversation.save(last, 1, { ...there, segments: [say("ola", "wave", 0)] });
    expect((await getTranscription(person, id)).text).toBe("good night hola");

    // With a new language for the other side, the owner's words are translated again. The other side's words are
    // translated into the owner's language as before.
    asked.length = 0;
    const french = await change(person, id, { targetLanguage: "fr" });
    expect(asked).toEqual(["en>fr: good night"]);
    expect(french.translatedText).toBe("fr:good night en:hola");
    const none = await change(person, id, { targetLanguage: null });
    expect(none).toMatchObject({ translatedText: "", targetLanguage: null });
    const again = await change(person, id, { targetLanguage: "es" });
    expect(again.translatedText).toBe("es:good night en:hola");
  });

  test("deletes a turn with its sound, and ignores a later save of the turn", async () => {
    const { person, conversation } = await begin();
    const turns: string[] = [];
    for (const value of [1, 2, 3]) {
      turns.push(await conversation.record(value, value));
      await conversation.save(turns[value - 1] ?? "", value, { ...here, segments: [say(`t${value}`, `T${value}`, value)] });
    }
    const [first = "", second = "", third = ""] = turns;
    const without = await read(await conversation.remove(second), 200, Transcription);
    expect(linesOf(without)).toEqual(["t1 0-1", "t3 1-4"]);
    expect(without).toMatchObject({ text: "t1 t3", translatedText: "T1 T3", durationSeconds: 4 });
    expect(await conversation.audio(without.id)).toEqual([1, 3, 3, 3]);
    expect(await conversation.save(second, 2, { ...here, segments: [say("t2", "T2", 2)] })).toEqual(without);
    expect(await read(await conversation.remove(second), 200, Transcription)).toEqual(without);
    expect(linesOf(await read(await conversation.remove(third), 200, Transcription))).toEqual(["t1 0-1"]);
    expect(await conversation.audio(without.id)).toEqual([1]);
    // Without turns, the conversation disappears and comes back with the next turn.
    await conversation.remove(first);
    expect((await history(person)).data).toEqual([]);
    const next = await conversation.record(1, 7);
    const back = await conversation.save(next, 9, { ...there, segments: [say("t4", "T4", 1)] });
    expect(back).toMatchObject({ id: without.id, text: "t4" });
    expect(await conversation.audio(back.id)).toEqual([7]);
  });

  test("keeps a turn and its recording away that is deleted before it is saved", async () => {
    const clock = testClock();
    const { server, person, conversation } = await begin({ now: clock.now });
    const turn = await conversation.record(1, 1);
    expect(await refusal(await conversation.remove(turn))).toBe("404 notFound");
    const body = { ...here, segments: [say("never", "nunca", 1)], date: "2026-03-01T12:00:00Z" };
    expect(await refusal(await conversation.put(turn, body))).toBe("410 gone");
    // Audio that still arrives for the turn is discarded.
    const late = await Dictation.start(server.apiUrl, person.token, turn);
    late.sendFrames(0, 5);
    await late.acked(5);
    await late.cut();
    clock.advance(31 * 60_000);
    await server.sweep();
    expect((await history(await signInAgain(server, person))).data).toEqual([]);
    expect(await readdir(join(server.dataDir, "live"))).toEqual([]);
  });

  test("adds the sound of a turn that arrives after its words", async () => {
    const { conversation, person, server } = await begin();
    const late = crypto.randomUUID();
    await conversation.save(late, 0, { ...here, segments: [say("early words", "", 1)] });
    const live = await Dictation.start(server.apiUrl, person.token, late);
    live.sendBytes(frameOf(0, 5));
    live.say({ type: "end", frames: 1 });
    await live.next("done");
    const made = await conversation.save(late, 0, { ...here, segments: [say("early words", "", 1)] });
    expect(linesOf(made)).toEqual(["early words 0-0.2"]);
    expect(await conversation.audio(made.id)).toEqual([5]);
  });

  test("takes back a turn's recording that the server has saved as abandoned", async () => {
    const clock = testClock();
    const { server, person, conversation } = await begin({ now: clock.now });
    const turn = await conversation.record(2, 4);
    clock.advance(31 * 60_000);
    await server.sweep();
    const later = await signInAgain(server, person);
    expect((await history(later)).data).toMatchObject([{ origin: "dictation" }]);
    const again = talk(server, later, conversation.id);
    const made = await again.save(turn, 0, { ...here, segments: [say("at last", "por fin", 2)] });
    expect((await history(later)).data).toMatchObject([{ id: made.id, origin: "conversation", text: "at last" }]);
    expect(await again.audio(made.id)).toEqual([4, 4]);
  });

  test("saves a turn even when the free minutes are used up", async () => {
    const { server, person, conversation } = await begin();
    await useUp(server.dataDir, person, 9.9);
    // Uses the minutes to the very last second: speech beyond that is refused while it is spoken.
    const turn = await conversation.record(6, 1);
    const usage = await read(await person.call("GET", "/api/v1/usage"), 200, Usage);
    expect(usage.usedTranslationMinutes).toBe(10);
    const made = await conversation.save(turn, 0, { ...here, segments: [say("all that was said", "todo", 6)] });
    expect(made).toMatchObject({ text: "all that was said", durationSeconds: 6 });
  });
});

describe("recovery from a crash", () => {
  test("cuts off a half-written turn and saves the next one", async () => {
    const { server, conversation } = await begin();
    const [first, second] = [await conversation.record(1, 1), await conversation.record(1, 2)];
    const { id } = await conversation.save(first, 0, { ...here, segments: [say("one", "uno", 1)] });
    const file = join(server.dataDir, "audio", id, "original");
    await appendFile(file, Buffer.alloc(9_999, 9));
    const made = await conversation.save(second, 1, { ...here, segments: [say("two", "dos", 1)] });
    expect(linesOf(made)).toEqual(["one 0-1", "two 1-2"]);
    expect(await conversation.audio(id)).toEqual([1, 2]);
  });

  test("repairs the audio's header and installs its replacement at the next start", async () => {
    const { server, person, conversation } = await begin();
    const [first, second] = [await conversation.record(1, 1), await conversation.record(1, 2)];
    await conversation.save(first, 0, { ...here, segments: [say("one", "uno", 1)] });
    const { id } = await conversation.save(second, 1, { ...here, segments: [say("two", "dos", 1)] });
    await server.close();
    const file = join(server.dataDir, "audio", id, "original");
    const whole = await readFile(file);
    const mark = (replacement: string | null) => {
      const db = openSql(server.dataDir);
      db.prepare("insert into unsettled_audio values (?, ?)").run(id, replacement);
      db.close();
    };
    // The state after a power cut: the samples are written, the header is outdated.
    const stale = Buffer.from(whole);
    stale.writeUInt32LE(32_000, 40);
    await writeFile(file, Buffer.concat([stale, Buffer.alloc(10)]));
    mark(null);
    const again = await startTestServer({ dataDir: server.dataDir });
    expect(await talk(again, { ...person, call: personOf(again, person) }, conversation.id).audio(id)).toEqual([1, 2]);
    await again.close();
    await writeFile(join(server.dataDir, "incoming", "new.wav"), whole);
    await writeFile(file, whole.subarray(0, 100));
    mark("new.wav");
    const third = await startTestServer({ dataDir: server.dataDir });
    expect(await talk(third, { ...person, call: personOf(third, person) }, conversation.id).audio(id)).toEqual([1, 2]);
    expect(await readdir(join(server.dataDir, "incoming"))).toEqual([]);
  });
});

function personOf(server: { apiUrl: string }, { token }: Person): Person["call"] {
  return (method, path) => fetch(`${server.apiUrl}${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
}
