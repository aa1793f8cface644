import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { oneLine } from "./plain-text.ts";
import { Seconds, type Segment } from "./transcription.ts";

/** The colours of highlights: names, which each theme shows in its own way. */
export const noteColours = ["yellow", "green", "blue", "pink"] as const;
export const NoteColour = v.picklist(noteColours);
export type NoteColour = v.InferOutput<typeof NoteColour>;

/** Notes of one transcription; characters of one. */
export const noteLimits = { notes: 500, characters: 5_000 } as const;

/** What is noted of a passage. A highlight without words has an empty `text`; words without a highlight have no colour. */
const noted = {
  /** Seconds in the recording: a note stays at its times, whatever becomes of the text there. */
  start: Seconds,
  end: Seconds,
  colour: v.nullable(NoteColour),
  text: v.pipe(v.string(), v.maxLength(noteLimits.characters)),
};

/** What a note says, and where. */
export const NoteDraft = v.object(noted);
export type NoteDraft = v.InferOutput<typeof NoteDraft>;

/** Neither a colour nor words: there is nothing to keep. */
export const isBlank = ({ colour, text }: Pick<NoteDraft, "colour" | "text">): boolean => colour === null && text.trim() === "";

/**
 * PUT /api/v1/audio-transcriptions/transcription/{id}/notes/{note} → Note, whether it was there or not: `note` is a UUID that the caller has
 * chosen, so that a call whose answer got lost can be repeated. `revision` is that of the note which was read, 0 for a new one; 409 `conflict`
 * when it has another by now and says something else, 409 `tooManyAtOnce` beyond `noteLimits.notes`.
 */
export const NoteChange = v.pipe(
  v.object({ ...noted, revision: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  v.check(({ start, end }) => end >= start, "end: must not lie before start"),
  v.check((note) => !isBlank(note), "must have a colour or a text"),
);
export type NoteChange = v.InferOutput<typeof NoteChange>;

/** A note of a transcription; its `revision` grows with every change. Times are ISO 8601, UTC. */
export const Note = v.object({
  id: v.string(),
  ...noted,
  revision: v.number(),
  createdAt: v.string(),
  changedAt: v.string(),
});
export type Note = v.InferOutput<typeof Note>;

/** GET /api/v1/audio-transcriptions/transcription/{id}/notes, by where they begin. DELETE of …/notes/{note} answers 204, also when there is none. */
export const NotesAnswer = v.object({ notes: v.array(Note) });
export type NotesAnswer = v.InferOutput<typeof NotesAnswer>;

/** As the page accepts them: a colour that it does not know is the first. */
export const AcceptedNote = v.object({ ...Note.entries, colour: v.fallback(v.nullable(NoteColour), noteColours[0]) });
export const AcceptedNotes = v.object({ notes: acceptedRows(AcceptedNote) });

/** Where a note is: seconds in the recording. */
export type TimeRange = Pick<NoteDraft, "start" | "end">;

/** Whether what begins there belongs to a passage. @param seconds in the recording */
export const isWithin = ({ start, end }: TimeRange, seconds: number): boolean => seconds >= start && seconds < end;

/** Whether a segment and a passage have a time in common. */
export const overlaps = (segment: Pick<Segment, "start" | "end">, { start, end }: TimeRange): boolean =>
  segment.start < end && segment.end > start;

/**
 * What is said in a passage, on one line: the words that begin in it; of a segment without words, all of its text. "": nothing is.
 * @param longest characters; more are cut off
 */
export function quoteAt(segments: readonly Segment[], passage: TimeRange, longest = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  let length = 0;
  for (const part of saidIn(segments, passage)) {
    parts.push(part.slice(0, longest + 1));
    length += part.length + 1;
    if (length > longest) break;
  }
  const quote = oneLine(parts.join(" "));
  return quote.length > longest ? `${quote.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : quote;
}

function* saidIn(segments: readonly Segment[], passage: TimeRange): Generator<string> {
  for (const segment of segments) {
    if (!overlaps(segment, passage)) continue;
    if (segment.words.length === 0) yield segment.text;
    for (const word of segment.words) if (isWithin(passage, word.start)) yield word.text;
  }
}
