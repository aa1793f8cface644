import { expect } from "vitest";
import { type Segment, Transcription } from "#contract/index.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { base, type Person, read } from "#tests/server/harness.ts";

/** English on the owner's side, Spanish on the other side. */
export const here = { languages: ["en", "es-ES"], sourceLanguage: "en", targetLanguage: "es" };
const noon = Date.parse("2026-03-01T12:00:00Z");

export function say(text: string, translation: string, seconds: number): Segment {
  const words = [{ text, start: 0, end: seconds }];
  return { start: 0, end: seconds, text, words: seconds === 0 ? [] : words, translation };
}

/** A page with a conversation. */
export function talk(server: { apiUrl: string }, person: Person, id: string = crypto.randomUUID()) {
  const path = (turn: string) => `${base}/conversations/${id}/turns/${turn}`;
  const put = (turn: string, body: object, as = person) => as.call("PUT", path(turn), { title: "At the baker's", ...body });
  const save = async (turn: string, minute: number, body: object) =>
    read(await put(turn, { ...body, date: new Date(noon + minute * 60_000).toISOString() }), 200, Transcription);
  return {
    id,
    put,
    save,
    remove: (turn: string) => person.call("DELETE", path(turn)),
    /** Records this many seconds, with all samples of this value. */
    record: async (seconds: number, value: number): Promise<string> => {
      const live = await Dictation.start(server.apiUrl, person.token);
      for (let number = 0; number < seconds * 5; number++) live.sendBytes(frameOf(number, value));
      live.say({ type: "end", frames: seconds * 5 });
      await live.next("done");
      return live.recordingId;
    },
    audio: async (transcription: string) => {
      const answer = await person.call("GET", `${base}/transcription/${transcription}/audio`);
      return answer.status === 200 ? recognizedIn(Buffer.from(await answer.arrayBuffer())) : answer.status;
    },
  };
}

export function frameOf(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(4 + 6_400);
  bytes.writeUInt32LE(number);
  for (let i = 4; i < bytes.length; i += 2) bytes.writeInt16LE(value, i);
  return bytes;
}

/** The sample of each second. Also checks that the header agrees with the file's length. */
function recognizedIn(wav: Buffer): number[] {
  expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
  const seconds: number[] = [];
  for (let at = 44; at < wav.length; at += 32_000) seconds.push(wav.readInt16LE(at));
  return seconds;
}
