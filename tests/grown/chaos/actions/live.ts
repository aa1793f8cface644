import { readFile } from "node:fs/promises";
import type { Segment } from "#contract/index.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { type Asking, Contradiction } from "#tests/grown/chaos/asking.ts";
import { realLanguage } from "#tests/grown/chaos/engines.ts";
import { allWords, Dictation, frame, textOf } from "#tests/server/dictation/dictation.ts";
import { save } from "#tests/server/transcription/saved.ts";
import type { Action, Life } from "./life.ts";

const frameBytes = 6_400;
const realShare = 0.15;
/** Two seconds of real speech and one of silence. */
const spoken = readFile(new URL("../../../fixtures/audio/market.wav", import.meta.url)).then((wav) =>
  Buffer.concat([wav.subarray(44), Buffer.alloc(32_000)]),
);

/** A recording in frames of 200 ms. */
interface Recorded {
  language: string;
  frames: readonly Buffer[];
  /** undefined for a real engine, whose text is not known beforehand. */
  text: string | undefined;
}

async function recordedBy({ dice }: Life): Promise<Recorded> {
  const seconds = dice.between(2, 6);
  if (!dice.chance(realShare)) {
    return { language: "en", frames: Array.from({ length: seconds * 5 }, (_, i) => frame(i)), text: allWords(seconds) };
  }
  const pcm = await spoken;
  const frames = Array.from({ length: Math.floor(pcm.length / frameBytes) }, (_, i) => {
    const number = Buffer.alloc(4);
    number.writeUInt32LE(i);
    return Buffer.concat([number, pcm.subarray(i * frameBytes, (i + 1) * frameBytes)]);
  });
  return { language: realLanguage, frames, text: undefined };
}

/** What the server has confirmed of a recording, over all of its connections. */
interface Confirmed {
  frames: number;
  finals: string[];
}

/** Records until every word is final. After a cut, a new connection continues from the confirmed frames. */
export async function recordLive(life: Life, asking: Asking, recordingId: string): Promise<{ segments: Segment[]; wav: Buffer }> {
  const recorded = await recordedBy(life);
  const confirmed: Confirmed = { frames: 0, finals: [] };
  const what = `dictating ${recordingId} (${recorded.language})`;
  const segments = await asking.until(what, () => connect(life, recordingId, recorded, confirmed));
  if (recorded.text !== undefined && textOf(segments) !== recorded.text) {
    throw new Contradiction(`${what}: "${textOf(segments)}" was heard instead of "${recorded.text}"`);
  }
  const pcm = Buffer.concat(recorded.frames.map((one) => one.subarray(4)));
  return { segments, wav: Buffer.concat([wavHeader(pcm.length / 2), pcm]) };
}

async function connect({ person }: Life, recordingId: string, recorded: Recorded, confirmed: Confirmed): Promise<Segment[]> {
  const { frames, language } = recorded;
  const live = new Dictation(person.apiUrl, { recordingId });
  const send = (from: number, to: number) => {
    for (const bytes of frames.slice(from, to)) live.sendBytes(bytes);
  };
  try {
    await live.open();
    live.say({ type: "start", token: person.token, recordingId, sourceLanguage: language });
    const ready = await live.next("ready");
    compare(
      recordingId,
      ready.ack,
      ready.segments.map(({ text }) => text),
      confirmed,
    );
    const half = Math.max(ready.ack, frames.length >> 1);
    send(ready.ack, half);
    if (half > ready.ack) await live.acked(half);
    send(half, frames.length);
    live.say({ type: "end", frames: frames.length });
    return (await live.next("done")).segments;
  } finally {
    for (const message of live.messages) {
      if (message.type === "ack") confirmed.frames = Math.max(confirmed.frames, message.ack);
      if (message.type === "final") confirmed.finals[message.index] = message.segment.text;
    }
    await live.cut();
  }
}

/** @throws Contradiction when confirmed frames or words are gone */
function compare(recordingId: string, ack: number, finals: readonly string[], confirmed: Confirmed): void {
  if (ack < confirmed.frames) {
    throw new Contradiction(`${confirmed.frames} frames of dictation ${recordingId} were confirmed, of which ${ack} are there`);
  }
  const lost = confirmed.finals.filter((text, index) => finals[index] !== text);
  if (lost.length > 0) throw new Contradiction(`dictation ${recordingId} has lost words that were final: ${lost.join(" / ")}`);
}

export const dictate: Action = async (life, asking) => {
  const title = life.name("dictated");
  const recordingId = crypto.randomUUID();
  const { segments, wav } = await recordLive(life, asking, recordingId);
  const text = textOf(segments);
  const fact = life.ledger.add("dictated", title, { text, audio: wav });
  const draft = { clientId: crypto.randomUUID(), recordingId, title, text, segments };
  fact.id = (await asking.until(`saving "${title}"`, () => save(life.person, draft))).id;
};
