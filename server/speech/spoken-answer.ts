import * as v from "valibot";
import { joinedText } from "#contract/index.ts";
import { orNothing, parseLenient } from "#server/http/lenient-json.ts";

/** A word or a part of one, even of a letter. Times in seconds; undefined where the server gives no valid ones. */
export interface SpokenWord {
  text: string;
  start: number | undefined;
  end: number | undefined;
  /** From 0 to 1. */
  confidence: number | undefined;
}

export interface SpokenSegment {
  text: string;
  start: number | undefined;
  end: number | undefined;
  words: SpokenWord[];
  /** In `diarized_json`: a letter, or the name of a voice in the request. */
  speaker: string | undefined;
  /** Whether Whisper has invented the text in silence. */
  isInvented: boolean;
}

/** Removed from texts: the marks of Whisper, SenseVoice and whisper.cpp, and control characters. */
const marks = /<\|[^|<>]{0,40}\|>|\[_[A-Z]+_?\d*\]|\[BLANK_AUDIO\]|(?!\s)\p{Cc}/gu;

/** Whisper's own rule for hallucinations in silence (whisper/transcribe.py: no_speech_threshold, logprob_threshold). */
const noSpeechThreshold = 0.6;
const logprobThreshold = -1;

const Numeric = v.union([v.number(), v.pipe(v.string(), v.trim(), v.nonEmpty(), v.transform(Number))]);
const Finite = orNothing(v.pipe(Numeric, v.finite()));
const Text = v.pipe(
  v.string(),
  v.transform((text) => text.replace(marks, "")),
);

/** The valid items of a list. */
const listOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((items) =>
        items.flatMap((item) => {
          const parsed = v.safeParse(schema, item);
          return parsed.success ? [parsed.output] : [];
        }),
      ),
    ),
    [],
  );

const Word = v.pipe(
  v.union([
    v.pipe(
      v.string(),
      v.transform((word) => ({ word })),
    ),
    v.unknown(),
  ]),
  v.object({
    word: orNothing(Text),
    text: orNothing(Text),
    start: Finite,
    end: Finite,
    probability: Finite,
  }),
  v.transform(
    ({ word, text, start, end, probability }): SpokenWord => ({
      // A lone surrogate can't be shown.
      text: (word ?? text ?? "").toWellFormed(),
      start,
      end,
      confidence: probability === undefined ? undefined : Math.min(Math.max(probability, 0), 1),
    }),
  ),
);
const Words = v.optional(
  v.pipe(
    listOf(Word),
    v.transform((words) => withoutRepeats(words.filter(({ text }) => text !== ""))),
  ),
  [],
);

const Segment = v.pipe(
  v.object({
    text: orNothing(Text),
    start: Finite,
    end: Finite,
    words: Words,
    avg_logprob: Finite,
    no_speech_prob: Finite,
    speaker: orNothing(v.union([v.string(), v.pipe(v.number(), v.transform(String))])),
  }),
  v.transform(
    ({ text, words, speaker, start, end, no_speech_prob = 0, avg_logprob = 0 }): SpokenSegment => ({
      start,
      end,
      words,
      text: text === undefined || text.trim() === "" ? textOfWords(words) : text.toWellFormed(),
      speaker: speaker?.trim().slice(0, 80) || undefined,
      isInvented: no_speech_prob > noSpeechThreshold && avg_logprob < logprobThreshold,
    }),
  ),
);

/** A transcription has at least one of these; it may be null where nobody speaks. */
const isTranscription = (data: object): boolean => {
  const { text, segments, words }: { text?: unknown; segments?: unknown; words?: unknown } = data;
  return typeof text === "string" || text === null || Array.isArray(segments) || Array.isArray(words);
};

/**
 * The answer to `verbose_json` or `diarized_json`, or plain text from a server that knows nothing else. Each member may
 * be missing, null, NaN or a number in quotes.
 */
export const SpokenAnswer = v.pipe(
  v.looseObject({ error: v.optional(v.unknown()) }),
  v.check((data) => isTranscription(data) && !data.error),
  v.object({
    text: orNothing(Text),
    segments: v.optional(listOf(Segment), []),
    words: Words,
  }),
  v.transform(({ text = "", words, segments }) => ({
    /** Text of all segments; empty when the server gives none. Lone surrogates are removed. */
    text: text.replace(/\p{Cs}/gu, ""),
    segments: withoutRepeats(segments.filter((segment) => segment.text.trim() !== "")),
    words,
  })),
);
export type SpokenAnswer = v.InferOutput<typeof SpokenAnswer>;

/** Parses a response: JSON, JSON in a string, or plain text. @returns undefined for HTML, and for truncated JSON */
export function parseSpoken(body: string): unknown {
  const data = parseLenient(body);
  if (typeof data === "object") return data;
  const text = typeof data === "string" ? data : body;
  const inner = typeof data === "string" ? parseLenient(text) : undefined;
  if (typeof inner === "object" && inner !== null) return inner;
  return body.trim() === "" || /^\s*[<{[]/.test(text) ? undefined : { text };
}

/** Removes repetitions: the same text at the same time. Items without times may repeat. */
function withoutRepeats<Item extends { text: string; start: number | undefined; end: number | undefined }>(
  items: Item[],
): Item[] {
  const seen = new Set<string>();
  return items.filter(({ text, start, end }) => {
    if (start === undefined || end === undefined || start === end) return true;
    const key = `${start} ${end} ${text.trim()}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/**
 * The joined text of words, when the server gives none: with the spaces that the words contain, else with a space
 * between words.
 */
export function textOfWords(words: readonly SpokenWord[]): string {
  const texts = words.map(({ text }) => text);
  const joined = texts.some((text) => text !== text.trim()) ? texts.join("") : joinedText(texts);
  return joined.replace(/ +(?=[,.;:!?…])/g, "");
}
