import * as v from "valibot";
import type { Segment, Word } from "#contract/index.ts";
import { spreadWords } from "#speech/spread.ts";
import { segmentsFrom } from "#speech/words.ts";

const Time = v.pipe(v.number(), v.finite());
const SpokenWord = v.object({ word: v.string(), start: Time, end: Time, probability: v.nullish(v.number()) });
type SpokenWord = v.InferOutput<typeof SpokenWord>;
const SpokenSegment = v.object({
  text: v.string(),
  start: Time,
  end: Time,
  words: v.nullish(v.array(SpokenWord)),
  avg_logprob: v.nullish(v.number()),
  no_speech_prob: v.nullish(v.number()),
  /** In `diarized_json`: a letter, or the name of a voice in the request. */
  speaker: v.nullish(v.string()),
});
type SpokenSegment = v.InferOutput<typeof SpokenSegment>;

/**
 * The answer to `response_format=verbose_json` and `diarized_json`, or the subset of it from servers that support only plain
 * text. Times in seconds.
 */
export const Verbose = v.object({
  text: v.string(),
  segments: v.nullish(v.array(SpokenSegment)),
  words: v.nullish(v.array(SpokenWord)),
});
export type Verbose = v.InferOutput<typeof Verbose>;

/** Whisper's own rule for hallucinations in silence (whisper/transcribe.py: no_speech_threshold, logprob_threshold). */
const noSpeechThreshold = 0.6;
const logprobThreshold = -1;

/** @param duration of the audio that was sent, in seconds: times beyond it are wrong */
export function segmentsFromVerbose(answer: Verbose, duration: number): Segment[] {
  const spoken = (answer.segments ?? []).filter((segment) => segment.text.trim() !== "" && !isInvented(segment));
  if (spoken.length > 0) return spoken.map((segment) => segmentOf(segment, answer.words ?? [], duration));
  if ((answer.segments ?? []).length > 0) return [];
  const words = answer.words ?? [];
  if (words.length > 0) return segmentsFrom(written(words, answer.text, duration));
  return segmentsFrom(spreadWords(answer.text, [{ start: 0, end: duration }]));
}

function isInvented({ no_speech_prob, avg_logprob }: SpokenSegment): boolean {
  return (no_speech_prob ?? 0) > noSpeechThreshold && (avg_logprob ?? 0) < logprobThreshold;
}

function segmentOf(spoken: SpokenSegment, all: readonly SpokenWord[], duration: number): Segment {
  const start = clamp(spoken.start, 0, duration);
  const end = clamp(spoken.end, start, duration);
  const text = spoken.text.trim().replace(/\s+/g, " ");
  // A word is assigned by its middle: its edges may be shared by two segments.
  const own = spoken.words ?? all.filter((word) => isWithin((word.start + word.end) / 2, spoken));
  const words = own.length > 0 ? written(own, text, duration) : spreadWords(text, [{ start, end }]);
  const speaker = spoken.speaker?.trim().slice(0, 80);
  return { start, end, text, words, ...(speaker && { speaker }) };
}

function isWithin(time: number, { start, end }: SpokenSegment): boolean {
  return time >= start && time < end;
}

/** The words with the text's punctuation, where they can be matched: servers give "hello", the text says "Hello,". */
function written(spoken: readonly SpokenWord[], text: string, duration: number): Word[] {
  const tokens = text.split(/\s+/).filter(Boolean);
  return spoken.flatMap(({ word, start, end, probability }, at) => {
    const own = tokens.length === spoken.length ? tokens[at] : word.trim();
    if (own === undefined || own === "") return [];
    const from = clamp(start, 0, duration);
    const timed = { text: own, start: from, end: clamp(end, from, duration) };
    return typeof probability === "number" ? [{ ...timed, confidence: clamp(probability, 0, 1) }] : [timed];
  });
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
