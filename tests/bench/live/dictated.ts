import { setTimeout as wait } from "node:timers/promises";
import { frameSamples, type Segment } from "#contract/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { align, wordsOf } from "#tests/bench/spoken.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import type { Person } from "#tests/server/harness.ts";

/** The results of a dictation, with times in ms. */
export interface Dictated {
  segments: Segment[];
  /**
   * From the end of each word until it is on the page, as interim or final text. The final text has the time of the
   * word.
   */
  words: number[];
  /** The same for the first words of utterances. */
  firstWords: number[];
  /** From the end of each phrase to its final text. */
  finals: number[];
}

/** The messages between two pauses, with times in ms from the start of the dictation. */
interface Utterance {
  partials: { at: number; text: string }[];
  finals: { at: number; segment: Segment }[];
}

interface DictateOptions {
  /** The ends of phrases, in seconds. */
  phraseEnds?: readonly number[];
  onFinal?(segment: Segment): void;
}

/** Dictates at the pace of a microphone. */
export async function dictate(person: Person, pcm: Buffer, { phraseEnds = [], onFinal }: DictateOptions = {}): Promise<Dictated> {
  const live = await Dictation.start(person.apiUrl, person.token);
  const utterances: Utterance[] = [{ partials: [], finals: [] }];
  const begin = performance.now();
  const now = () => performance.now() - begin;
  const readPartials = async () => {
    for (;;) {
      const { text } = await live.next("partial");
      if ((utterances.at(-1)?.finals.length ?? 0) > 0) utterances.push({ partials: [], finals: [] });
      utterances.at(-1)?.partials.push({ at: now(), text });
    }
  };
  const readFinals = async () => {
    for (;;) {
      const { segment } = await live.next("final");
      utterances.at(-1)?.finals.push({ at: now(), segment });
      onFinal?.(segment);
    }
  };
  // Both end when the connection does.
  const reading = Promise.allSettled([readPartials(), readFinals()]);
  const bytes = frameSamples * 2;
  let frames = 0;
  for (let at = 0; at < pcm.length; at += bytes) {
    // A frame is sent when its last sample has been recorded.
    await wait(Math.max(0, ((frames + 1) * frameSamples * 1000) / pcmRate - now()));
    const number = Buffer.alloc(4);
    number.writeUInt32LE(frames);
    live.sendBytes(Buffer.concat([number, pcm.subarray(at, at + bytes)]));
    frames += 1;
  }
  live.say({ type: "end", frames });
  const { segments } = await live.next("done");
  await reading;
  const late = utterances.map(lateness);
  const all = utterances.flatMap(({ finals }) => finals);
  const finals = phraseEnds.map((end) => {
    // Soft ends of words do not count as voice.
    const final = all.find(({ segment }) => segment.end > end - 0.5);
    return (final?.at ?? Number.POSITIVE_INFINITY) - end * 1000;
  });
  return { segments, words: late.flat(), firstWords: late.flatMap((words) => words.slice(0, 1)), finals };
}

/**
 * For each word of an utterance, the ms from its end to the first message with the word. If interim text had another
 * word until the final text, the first message with that other word counts.
 */
function lateness({ partials, finals }: Utterance): number[] {
  const words = finals.flatMap(({ at, segment }) =>
    segment.words.map(({ text, start, end }) => ({ key: keyOf(text), start, end, finalAt: at })),
  );
  const keys = words.map(({ key }) => key);
  const shown = partials.map(({ at, text }) => {
    const heard = wordsOf(text);
    // A word that was not spoken yet can't match, even if a later word sounds the same.
    const { counterparts } = align(heard, keys.slice(0, words.filter(({ start }) => start * 1000 < at).length));
    return { at, count: heard.length, isRight: keys.map((key, index) => heard[counterparts[index] ?? -1] === key) };
  });
  return words.map(({ end, finalAt }, index) => {
    const first = shown.find(({ isRight }) => isRight[index]) ?? shown.find(({ count }) => count > index);
    return (first?.at ?? finalAt) - end * 1000;
  });
}

const keyOf = (word: string) => wordsOf(word).join("");
