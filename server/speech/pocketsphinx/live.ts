import type { Segment } from "#contract/index.ts";
import { pcmRate } from "../engine.ts";
import type { UtteranceDecoder } from "../utterance-stream.ts";
import { type Voice, voiceIn } from "../voice.ts";
import { type HeardWord, readable, segmentsOf } from "./heard.ts";

/** Words before a pause are not decoded again when the utterance continues, once they are this long (bytes): 6 s. */
const longestAgain = 6 * pcmRate * 2;

/** A process that decodes a streamed utterance. */
export interface LiveDecoder {
  begin(): void;
  /** @returns the words so far, in PocketSphinx's format */
  feed(pcm: Buffer): Promise<string>;
  /** The words of the streamed audio; frames relative to its beginning. Unvalidated. */
  finish(): Promise<HeardWord[]>;
}

/**
 * Final words shortly after the last one was spoken: they are decoded incrementally, and finalised at every pause. If
 * the speaker continues, that result is discarded, and audio since the beginning, or the last long pause, is decoded again.
 * @param find the voice in an utterance; undefined when it is only noise
 */
export function decodeLive(decoder: LiveDecoder, find: (pcm: Buffer) => Voice | undefined = voiceIn): UtteranceDecoder {
  /** Audio with final words, and these words. */
  let settled: HeardWord[] = [];
  let settledBytes = 0;
  /** Audio after it. */
  let sound: Buffer[] = [];
  /** Its words, if they have been finalised. */
  let found: HeardWord[] | undefined;
  /** Audio received since. */
  let unheard: Buffer[] = [];

  const begin = () => {
    decoder.begin();
    [settled, settledBytes, sound, found, unheard] = [[], 0, [], undefined, []];
  };
  const feed = async (pcm: Buffer) => {
    sound.push(pcm);
    const text = await decoder.feed(pcm);
    return readable([...settled.map(({ word }) => word), text].join(" "));
  };
  const workOut = async () => {
    if (found !== undefined) return;
    const from = Math.round((settledBytes / 2 / pcmRate) * framesPerSecond);
    found = (await decoder.finish()).map((word) => later(word, from));
  };
  const decodeAgain = async (pcm: Buffer) => {
    begin();
    await feed(pcm);
    await workOut();
  };
  return {
    begin,
    feed: async (pcm) => {
      if (found === undefined) return feed(pcm);
      // The silence of a pause: irrelevant for the result.
      unheard.push(pcm);
      return undefined;
    },
    lull: workOut,
    resume: async () => {
      if (found === undefined) return;
      const since = unheard;
      const again = Buffer.concat(sound);
      if (again.length > longestAgain) {
        settled = [...settled, ...found];
        settledBytes += again.length;
        sound = [];
      } else {
        sound = [again];
      }
      [found, unheard] = [undefined, []];
      decoder.begin();
      if (sound.length > 0) await decoder.feed(again);
      await feed(Buffer.concat(since));
    },
    finish: async (pcm) => {
      const voice = find(pcm);
      if (voice === undefined) return [];
      const fed = settledBytes + lengthOf(sound) + lengthOf(unheard);
      // It was split without a pause, before the audio that was decoded.
      if (fed !== pcm.length) await decodeAgain(pcm);
      else await workOut();
      const words = [...settled, ...(found ?? [])];
      return segmentsOf(words, 0, (from, to) => voice.isAudible(from - voice.offset, to - voice.offset)) satisfies Segment[];
    },
  };
}

/** PocketSphinx counts time in frames of 10 ms. */
const framesPerSecond = 100;

function later(word: HeardWord, frames: number): HeardWord {
  return { ...word, firstFrame: word.firstFrame + frames, lastFrame: word.lastFrame + frames };
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
