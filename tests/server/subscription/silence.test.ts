import { afterAll, describe, expect, test } from "vitest";
import { Transcription, Usage } from "#contract/index.ts";
import { openEngines, wavHeader } from "#server/speech/index.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { scriptedEngines, silentWav } from "#tests/server/jobs/scripted.ts";
import { fixturePcm, silence, wordsIn } from "#tests/server/speech/sound.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { subscribe } from "./subscribed.ts";
import { useUp } from "./used-up.ts";

// The first two tests use a real recognizer: two sentences of 2.2 seconds in half a minute.

const sentence = fixturePcm("market.wav");
const spoken = (2 * sentence.length) / 32_000;
const mostlySilent = Buffer.concat([silence(8), sentence, silence(16), sentence, silence(8)]);

const opened = await openEngines({ dataDir: "/nowhere", parallel: 1 });
afterAll(() => opened.close());
/** The engines outlive each test's server. */
const engines = { ...opened, close: async () => undefined };

const usedSeconds = async (person: Person) =>
  (await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).usedTranslationMinutes * 60;

/** Frames of 200 ms. */
function framesOf(pcm: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(pcm.length / 6_400) }, (_, number) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(number);
    return Buffer.concat([head, pcm.subarray(number * 6_400, (number + 1) * 6_400)]);
  });
}

/** Recognizes nothing in any sound. */
const deaf = scriptedEngines({ openStream: async () => ({ write: async () => {}, end: async () => {}, close: () => {} }) });

// PROMISE minutes: Silence costs no minutes
describe("minutes of silent audio", () => {
  test("counts only the speech in a file, whatever is corrected, deleted or sent again", async () => {
    const server = await startTestServer({ engines });
    const person = await signUp(server);
    const wav = Buffer.concat([wavHeader(mostlySilent.length / 2), mostlySilent]);
    const fields = { clientId: crypto.randomUUID() };
    const { id } = await read(await upload(person, wav, { fields }), 202, Transcription);
    const made = await settled(person, id);
    expect(made.status).toBe("completed");
    expect(wordsIn(made.text)).toEqual(wordsIn(`${marketText} ${marketText}`));
    const used = await usedSeconds(person);
    expect(used).toBeGreaterThan(spoken - 1);
    expect(used).toBeLessThanOrEqual(spoken);
    await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { text: "Nothing." }), 200, Transcription);
    await read(await upload(person, wav, { fields }), 202, Transcription);
    expect(await usedSeconds(person)).toBe(used);
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    expect(await usedSeconds(person)).toBe(used);
  });

  test("counts only the speech in a dictation, whatever the page saves", async () => {
    const server = await startTestServer({ engines });
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    const frames = framesOf(mostlySilent);
    for (const bytes of frames) live.sendBytes(bytes);
    live.say({ type: "end", frames: frames.length });
    const { segments } = await live.next("done");
    expect(segments.length).toBeGreaterThan(0);
    const used = await usedSeconds(person);
    expect(used).toBeGreaterThan(spoken - 1);
    expect(used).toBeLessThanOrEqual(spoken + 1);
    await save(person, { recordingId: live.recordingId, segments: [] });
    expect(await usedSeconds(person)).toBe(used);
  });

  test("reserves the length of a silent file only while it is transcribed", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    await useUp(server.dataDir, person, 9.5);
    for (let file = 0; file < 2; file++) {
      const { id } = await read(await upload(person, silentWav(25)), 202, Transcription);
      expect(await settled(person, id)).toMatchObject({ status: "completed", durationSeconds: 25, error: { code: "noSpeech" } });
      expect(await usedSeconds(person)).toBe(570);
    }
  });

  test("ignores text that the browser claims to have recognized when it counts minutes", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const start = async () => {
      const live = new Dictation(server.apiUrl);
      await live.open();
      const { recordingId } = live;
      live.say({ type: "start", token: person.token, recordingId, sourceLanguage: "de-DE", heardBy: "browser" });
      await live.next("ready");
      return live;
    };
    const quiet = await start();
    quiet.sendFrames(0, 20);
    quiet.say({ type: "heard", index: 0, segment: { start: 0, end: 4, text: "Guten Tag", words: [] } });
    quiet.say({ type: "end", frames: 20 });
    await quiet.next("done");
    expect(await usedSeconds(person)).toBe(0);
    const spoken = await start();
    spoken.speak(0, 20);
    spoken.say({ type: "end", frames: 20 });
    await spoken.next("done");
    expect(await usedSeconds(person)).toBe(4);
  });
});

describe("a silent dictation", () => {
  test("ends a silent dictation on the free plan and reports silence as the reason", async () => {
    const server = await startTestServer({ engines: deaf, liveTimes: { syncMs: 0, silenceMs: 10_000 } });
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.speak(0, 10);
    live.sendFrames(10, 200);
    // The last two seconds were on their way.
    expect(await live.next("limit", ({ frames }) => frames !== null)).toEqual({ type: "limit", frames: 70, silence: true });
    expect(live.messages.find(({ type }) => type === "limit")).toEqual({ type: "limit", frames: null, silence: true });
    live.say({ type: "end", frames: 70 });
    expect((await live.next("done")).durationSeconds).toBe(14);
    expect(await usedSeconds(person)).toBe(2);
    const again = await Dictation.start(server.apiUrl, person.token);
    again.speak(0, 10);
    await again.acked(10);
  });

  test("continues a silent dictation without a limit for subscribers", async () => {
    const server = await startTestServer({ engines: deaf, liveTimes: { syncMs: 0, silenceMs: 10_000 } });
    const person = await signUp(server);
    await subscribe(server.dataDir, person, { status: "active" });
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 200);
    await live.acked(200);
    expect(live.messages.some(({ type }) => type === "limit")).toBe(false);
    expect(await usedSeconds(person)).toBe(0);
  });
});
