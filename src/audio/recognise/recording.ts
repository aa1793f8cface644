import type { Segment } from "#contract/index.ts";
import { joinBytes, pcmRate } from "#speech/bytes.ts";
import { PieceCutter } from "#speech/cut.ts";
import { findVoice, type Voice } from "#speech/voice.ts";
import type { VoiceActivity } from "#speech/voice-activity.ts";
import { shifted } from "#speech/words.ts";
import { withTidyJoins } from "#speech/written/joins.ts";
import type { Decoded } from "./decode.ts";

/**
 * Lengths of the pieces in which a recording is recognized (seconds). Longer ones have as many errors, and take more
 * work and memory.
 */
const limits = { shortest: 6, wanted: 12, longest: 15 };

export interface RecordingOptions {
  /** Called with the finished part, from 0 to 1. */
  onProgress(fraction: number): void;
  /** Checked between two pieces. */
  signal: AbortSignal;
}

interface Parts {
  activity: VoiceActivity;
  /** @returns the segments of a voice, with times relative to the recording */
  recognize(voice: Voice): Promise<Segment[]>;
}

/** Recognizes a recording piece by piece. @returns all segments @throws the signal's reason when it is aborted */
export async function transcribeRecording(
  sound: AsyncIterable<Decoded>,
  { onProgress, signal }: RecordingOptions,
  { activity, recognize }: Parts,
): Promise<Segment[]> {
  const texts: Segment[][] = [];
  for await (const { pcm, start, fraction } of piecesOf(sound)) {
    signal.throwIfAborted();
    // Skips pure silence quickly, because a gap may claim to last for hours.
    const voice = pcm.some((byte) => byte !== 0) ? await findVoice(pcm, activity) : undefined;
    const recognized = voice === undefined ? [] : await recognize(voice);
    signal.throwIfAborted();
    const segments = recognized.map((segment) => shifted(segment, start));
    texts.push(segments);
    onProgress(fraction);
  }
  return withTidyJoins(texts, "en");
}

interface Piece {
  pcm: Uint8Array;
  /** Seconds from the beginning of the recording. */
  start: number;
  /** The part of the recording up to the end of this piece, from 0 to 1. */
  fraction: number;
}

/** Cuts a recording at its pauses. */
async function* piecesOf(sound: AsyncIterable<Decoded>): AsyncGenerator<Piece> {
  const cutter = new PieceCutter(limits);
  /** The audio that belongs to no piece yet, and its start (samples). */
  let rest: Uint8Array = new Uint8Array(0);
  let begin = 0;
  const take = (endSample: number, fraction: number): Piece => {
    const bytes = (endSample - begin) * 2;
    const piece = { pcm: rest.slice(0, bytes), start: begin / pcmRate, fraction };
    rest = rest.slice(bytes);
    begin = endSample;
    return piece;
  };
  for await (const { pcm, fraction } of sound) {
    rest = joinBytes([rest, pcm]);
    for (const { endSample } of cutter.push(pcm)) yield take(endSample, fraction);
  }
  for (const { endSample } of cutter.finish()) yield take(endSample, 1);
}
