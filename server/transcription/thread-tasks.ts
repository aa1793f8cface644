import type { GenericSchema } from "valibot";
import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import { type Segment, type Span, TranscriptionUpdate } from "#contract/index.ts";
import { check } from "#server/http/body.ts";
import { parseJson } from "#server/http/json.ts";
import { assignSpeakers, type SpeakerTurn, speakerNames, spokenSeconds } from "#server/speech/index.ts";
import { transferring } from "#server/threads/serve.ts";
import { labelsOf, voicesIn } from "#server/voice-profiles/voice.ts";
import { withTidyJoins } from "#speech/written/joins.ts";
import { corrected } from "./correct.ts";
import { bared, type Direction, directionsOf, withTranslations } from "./directions.ts";
import { type SecondOpinion, withDoubts } from "./doubt.ts";
import { isEngineTranslated } from "./engine-translation.ts";
import { parseHidden, withHidden, withShownAgain } from "./hidden.ts";
import { merge } from "./merge.ts";
import { parseSegments } from "./segments-json.ts";
import { type SpokenLine, spokenLines } from "./spoken-lines.ts";

/** Segments as stored in the database: JSON. */
export type SegmentsJson = string;

/** Segments and the data derived from them. */
export interface Transcript {
  segments: SegmentsJson;
  text: string;
  translatedText: string;
}

const decoder = new TextDecoder();

/** @throws Problem `badRequest` for invalid data */
export function readBody<Output>(schema: GenericSchema<unknown, Output>, body: Uint8Array): Output {
  return check(schema, parseJson(decoder.decode(body)));
}

export function transcriptOf(segments: readonly Segment[]): Transcript {
  return { segments: JSON.stringify(segments), text: textOf(segments), translatedText: translatedTextOf(segments) };
}

/** Changes of the texts. They stay in the request's body, which threads parse. */
interface Corrections {
  body: Uint8Array<ArrayBuffer>;
  /** Whether texts or their division into segments change. */
  ofText: boolean;
  ofTranslations: boolean;
}

type Facts = "title" | "targetLanguage" | "deletedAt" | "retry" | "diarize" | "recognize" | "track" | "sourceLanguage";
/** Changes of a transcription. */
export type Update = Pick<TranscriptionUpdate, Facts> & { corrections?: Corrections | undefined };

interface Correcting {
  segments: SegmentsJson;
  body: Uint8Array;
  translates: boolean;
  /** Who corrects. */
  by: string;
  /** The current whole text. */
  before: string;
}

/**
 * Everything that parses a transcription's segments, or a body with segments. The longest take seconds, so it runs in a
 * thread (thread-tasks.ts). The event loop only passes the JSON between request, database and response without parsing
 * it. Each function throws Problem `badRequest` for data that violates the contract.
 */
export const transcriptTasks = {
  /** The body of PUT /audio/remove-transcription/{id}. */
  readUpdate: (body: Uint8Array<ArrayBuffer>): Update => {
    const {
      text,
      textBase: _,
      edits,
      regroups,
      speakers,
      words,
      translations,
      others,
      spans: __,
      ...facts
    } = readBody(TranscriptionUpdate, body);
    const ofText = text !== undefined || edits !== undefined || regroups !== undefined;
    const isAny = ofText || [speakers, words, translations, others].some((field) => field !== undefined);
    if (!isAny) return facts;
    return transferring({ ...facts, corrections: { body, ofText, ofTranslations: translations !== undefined } }, body.buffer);
  },

  /**
   * `translates`: split segments are translated again; else the translation stays with the first part. `whole`: the
   * whole text, if given.
   */
  correct: (input: Correcting) => {
    const { by, before } = input;
    const update = readBody(TranscriptionUpdate, input.body);
    const { segments, outdated } = corrected(parseSegments(input.segments), update, by);
    const { text, textBase } = update;
    const whole =
      text === undefined || textBase === undefined ? text : merge({ base: textBase, mine: text, theirs: before }).text;
    return { whole, ...transcriptOf(input.translates ? segments : withTranslations(segments, [outdated])), outdated };
  },

  /** The texts without a translation. */
  directions: (input: { segments: SegmentsJson; source: string; target: string }) => {
    const segments = parseSegments(input.segments);
    return { directions: directionsOf(segments, input.source, input.target), count: segments.length };
  },

  /**
   * Changes the language of translation, or turns it off (`to` is null). The old translations are hidden, and earlier
   * ones in the new language are shown again. `directions` has the texts without one.
   */
  languageChosen: (input: { segments: SegmentsJson; hidden: string; source: string; from: string | null; to: string | null }) => {
    const { source, from, to } = input;
    const before = parseSegments(input.segments);
    const bare = bared(before, to === null ? "all" : "own");
    const kept = withHidden(parseHidden(input.hidden), { before, after: bare, target: from });
    const { segments, hidden } = to === null ? { segments: bare, hidden: kept } : withShownAgain(bare, kept, to);
    const directions = to === null ? [] : directionsOf(segments, source, to);
    return { segments: JSON.stringify(segments), directions, count: segments.length, hidden: JSON.stringify(hidden) };
  },

  translated: ({ segments, done }: { segments: SegmentsJson; done: Pick<Direction, "indices" | "texts">[] }): Transcript =>
    transcriptOf(withTranslations(parseSegments(segments), done)),

  /**
   * Applies the detected speakers; names that a user has given to the same voices stay. `keepsWhole`: no segment is
   * split; with "engineTranslated", only if an engine has translated during recognition, because parts can't be
   * translated that way again.
   */
  diarized: (input: {
    segments: SegmentsJson;
    turns: readonly SpeakerTurn[];
    voices?: number[][];
    keepsWhole?: boolean | "engineTranslated";
  }) => {
    const segments = parseSegments(input.segments);
    const { turns, voices = [] } = input;
    const keepsWhole = input.keepsWhole === "engineTranslated" ? segments.some(isEngineTranslated) : input.keepsWhole === true;
    const nameOf = speakerNames(segments, turns);
    const named = assignSpeakers(segments, turns, nameOf, { keepsWhole });
    return { ...transcriptOf(named), voices: voicesIn(named, { turns: [...turns], voices }, nameOf) };
  },

  /** The labels of these voices in the segments. */
  labels: ({ segments, voices }: { segments: SegmentsJson; voices: readonly (readonly Span[])[] }) =>
    labelsOf(parseSegments(segments), voices),

  /** The segments in the form for a language model. */
  spokenLines: (segments: SegmentsJson): SpokenLine[] => spokenLines(parseSegments(segments)),

  /** Merges the pieces of a job into one transcript. `spoken`: seconds of the recording with words. */
  joined: ({ pieces, language }: { pieces: readonly SegmentsJson[]; language: string }) => {
    const segments = withTidyJoins(pieces.map(parseSegments), language);
    return { ...transcriptOf(segments), count: segments.length, spoken: spokenSeconds(segments) };
  },

  /**
   * Gives a low confidence to words that a second recognition does not confirm. `recognized`: the segments as they were
   * recognized.
   */
  doubted: (input: {
    segments: SegmentsJson;
    recognized: readonly SegmentsJson[];
    opinions: readonly SecondOpinion[];
  }): Transcript => {
    const recognized = input.recognized.flatMap((piece) => parseSegments(piece));
    return transcriptOf(withDoubts(parseSegments(input.segments), recognized, input.opinions));
  },
};
