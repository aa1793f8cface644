import * as v from "valibot";
import type { Segment, Word } from "#contract/index.ts";
import { spreadWords } from "#speech/spread.ts";
import { plain, segmentsFromText } from "#speech/text.ts";
import type { Voice } from "#speech/voice.ts";

/** sherpa-onnx's result: pieces of words, and their start times (in seconds; missing for some kinds of models). */
export const Recognized = v.object({
  text: v.string(),
  tokens: v.optional(v.array(v.string()), []),
  timestamps: v.optional(v.array(v.pipe(v.number(), v.finite())), []),
  /** Whisper's own segments, in seconds from the beginning. */
  segment_texts: v.optional(v.array(v.string()), []),
  segment_timestamps: v.optional(v.array(v.pipe(v.number(), v.finite())), []),
  segment_durations: v.optional(v.array(v.pipe(v.number(), v.finite())), []),
});
export type Recognized = v.InferOutput<typeof Recognized>;
type SegmentKeys = "segment_texts" | "segment_timestamps" | "segment_durations";
/** The result of a model without segments of its own. */
export type RecognizedTokens = Omit<Recognized, SegmentKeys> & Partial<Pick<Recognized, SegmentKeys>>;

/** Assumed duration of a word's last piece, which has no end time (seconds). The next word limits it. */
const lastPiece = 0.3;

/** "▁" (SentencePiece) and a space (Whisper) mark the first piece of a word. */
const wordStart = /^[▁ ]/;

/** The words with their times from the beginning of the recording. */
export function segmentsFromTokens(
  recognized: RecognizedTokens,
  voice: Pick<Voice, "offset" | "durationSeconds" | "spoken">,
): Segment[] {
  const words = timedWords(recognized, voice.durationSeconds);
  // If the pieces don't add up to the text (split UTF-8 characters, rewritten digits), the text is used.
  const isSame = words.map((word) => word.text).join(" ") === plain(recognized.text);
  return segmentsFromText(recognized.text, voice, isSame ? words : bySegments(recognized, voice.durationSeconds));
}

/** Words within the times of Whisper's own segments; undefined when the segments don't add up to the text. */
function bySegments(
  { text, segment_texts = [], segment_timestamps = [], segment_durations = [] }: RecognizedTokens,
  duration: number,
): Word[] | undefined {
  if (segment_texts.length === 0 || plain(segment_texts.join(" ")) !== plain(text)) return undefined;
  return segment_texts.flatMap((said, at) => {
    const start = Math.min(segment_timestamps[at] ?? 0, duration);
    return spreadWords(plain(said), [{ start, end: Math.min(start + (segment_durations[at] ?? 0), duration) }]);
  });
}

function timedWords({ text, tokens, timestamps }: RecognizedTokens, duration: number): Word[] {
  if (timestamps.length !== tokens.length) return [];
  const isUpper = plain(text) !== text.trim().replace(/\s+/g, " ");
  const words: Word[] = [];
  for (const [at, token] of tokens.entries()) {
    const start = Math.min(timestamps[at] ?? 0, duration);
    const end = Math.min(start + lastPiece, timestamps[at + 1] ?? duration, duration);
    const piece = token.replace(wordStart, "");
    const written = isUpper ? piece.toLowerCase() : piece;
    const last = words.at(-1);
    if (last === undefined || wordStart.test(token)) words.push({ text: written, start, end });
    else words[words.length - 1] = { ...last, text: last.text + written, end };
  }
  return words.filter((word) => word.text !== "");
}
