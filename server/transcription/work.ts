import {
  ConversationTurn,
  type ExportFormat,
  FinalTranscription,
  type Segment,
  type Transcription,
  TranscriptionUpdate,
} from "#contract/index.ts";
import { check } from "#server/http/body.ts";
import { parseJson } from "#server/http/json.ts";
import { transferring } from "#server/threads/serve.ts";
import { placed, rearranged, type Turn } from "#server/translator/line.ts";
import { corrected } from "./correct.ts";
import { bared, type Direction, directionsOf, type Renewal, withTranslations } from "./directions.ts";
import { exportTranscription } from "./export.ts";
import { parseSegments } from "./segments-json.ts";
import { textOf, translatedTextOf } from "./text.ts";

/** Segments as the database keeps them: JSON. */
type SegmentsJson = string;

/** Segments and what follows from them. */
export interface Transcript {
  segments: SegmentsJson;
  text: string;
  translatedText: string;
}

const decoder = new TextDecoder();
const read = (body: Uint8Array): unknown => parseJson(decoder.decode(body));
const transcriptOf = (segments: readonly Segment[]): Transcript => ({
  segments: JSON.stringify(segments),
  text: textOf(segments),
  translatedText: translatedTextOf(segments),
});

/**
 * Whatever looks into the segments of a transcription, or into a body that has some. It costs seconds for the longest ones, so it is done
 * in a thread (threads/work.ts), and only the JSON is on this side: it goes from the request to the database and from there to the answer
 * without being looked into. Each function throws Problem `badRequest` for what the contract does not have.
 */
export const transcriptWork = {
  /** The body of save-final-transcription. @returns `end` of the last segment in seconds */
  readFinal: (body: Uint8Array) => {
    const { segments, ...final } = check(FinalTranscription, read(body));
    return { final, segments: JSON.stringify(segments), end: segments.at(-1)?.end ?? null };
  },

  /** The body of PUT /audio/remove-transcription/{id}. */
  readUpdate: (body: Uint8Array): TranscriptionUpdate => check(TranscriptionUpdate, read(body)),

  correct: ({ segments, update }: { segments: SegmentsJson; update: TranscriptionUpdate }): Transcript =>
    transcriptOf(corrected(parseSegments(segments), update)),

  /** Which texts are to be translated; the segments as they are without translations that are to be made anew. */
  directions: (input: { segments: SegmentsJson; renewal: Renewal; source: string; target: string }) => {
    const segments = bared(parseSegments(input.segments), input.renewal);
    return { ...transcriptOf(segments), directions: directionsOf(segments, input.source, input.target), count: segments.length };
  },

  translated: ({ segments, done }: { segments: SegmentsJson; done: Pick<Direction, "indices" | "texts">[] }): Transcript =>
    transcriptOf(withTranslations(parseSegments(segments), done)),

  /** The pieces of a job as one transcript. */
  joined: (pieces: readonly SegmentsJson[]) => {
    const segments = pieces.flatMap((piece) => parseSegments(piece));
    return { ...transcriptOf(segments), count: segments.length };
  },

  exported: async (input: {
    transcription: Omit<Transcription, "segments">;
    segments: SegmentsJson;
    format: ExportFormat;
    language: string;
  }) => {
    const transcription = { ...input.transcription, segments: parseSegments(input.segments) };
    const { body, type } = await exportTranscription(transcription, input.format, input.language);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return transferring({ bytes, type }, bytes.buffer);
  },

  /** The body of PUT …/conversations/{id}/turns/{id}. */
  readTurn: (body: Uint8Array) => {
    const { segments, ...turn } = check(ConversationTurn, read(body));
    return { turn, segments: JSON.stringify(segments) };
  },

  /** A conversation whose turns have changed; `told` is the one that is new or told anew. */
  arranged: ({ kept, before, after, told }: Arrangement): Transcript => {
    const segments = parseSegments(kept);
    if (told === undefined) return transcriptOf(rearranged(segments, before, after));
    const { turnId, turn, languages, isKnown } = told;
    const own = segments.filter((segment) => segment.turn === turnId);
    const anew = placed({ ...turn, segments: parseSegments(told.segments) }, turnId, after, languages);
    // What was corrected since is not taken back.
    const isCorrected = isKnown && textOf(own) !== textOf(anew);
    return transcriptOf(rearranged(segments, before, after, isCorrected ? undefined : { turnId, segments: anew }));
  },

  /** A turn that was saved before its translation was there. @returns undefined when there is nothing new, or it was corrected since */
  turnTranslated: ({ kept, turnId, segments }: { kept: SegmentsJson; turnId: string; segments: SegmentsJson }) =>
    withTurnTranslated(parseSegments(kept), turnId, parseSegments(segments)),
};

export interface Arrangement {
  kept: SegmentsJson;
  before: Turn[];
  after: Turn[];
  told?:
    | {
        turnId: string;
        turn: Omit<ConversationTurn, "segments">;
        segments: SegmentsJson;
        languages: Parameters<typeof placed>[3];
        /** Whether it was there before. */
        isKnown: boolean;
      }
    | undefined;
}

function withTurnTranslated(kept: readonly Segment[], turnId: string, told: readonly Segment[]): Transcript | undefined {
  const own = kept.filter((segment) => segment.turn === turnId);
  const isSame = own.length === told.length && own.every(({ text }, i) => text === told[i]?.text);
  const isNews = own.some((segment, i) => isUntranslated(segment) && !isUntranslated(told[i]));
  if (!isSame || !isNews) return undefined;
  let next = 0;
  return transcriptOf(
    kept.map((segment): Segment => {
      if (segment.turn !== turnId) return segment;
      const { translation } = told[next++] ?? {};
      return isUntranslated(segment) && translation !== undefined ? { ...segment, translation } : segment;
    }),
  );
}

function isUntranslated(segment: Segment | undefined): boolean {
  return (segment?.translation ?? "") === "";
}
