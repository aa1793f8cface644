import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { oneLine } from "./plain-text.ts";
import { Seconds, type Segment } from "./transcription.ts";

/** The colors of highlights. They are names; each theme has its own values. */
export const noteColours = ["yellow", "green", "blue", "pink"] as const;
export const NoteColour = v.picklist(noteColours);
export type NoteColour = v.InferOutput<typeof NoteColour>;

/** Most notes of one transcription; most characters of one note. */
export const noteLimits = { notes: 500, characters: 5_000 } as const;

/** The content of a note. A highlight without words has an empty `text`; words without a highlight have no color. */
const noted = {
  /** Seconds in the recording. A note keeps its times, whatever happens to the text there. */
  start: Seconds,
  end: Seconds,
  colour: v.nullable(NoteColour),
  text: v.pipe(v.string(), v.maxLength(noteLimits.characters)),
};

/** A note's content and place. */
export const NoteDraft = v.object(noted);
export type NoteDraft = v.InferOutput<typeof NoteDraft>;

/** Whether there is neither a color nor text, so that nothing has to be stored. */
export const isBlank = ({ colour, text }: Pick<NoteDraft, "colour" | "text">): boolean => colour === null && text.trim() === "";

/**
 * PUT /api/v1/audio-transcriptions/transcription/{id}/notes/{note} → Note, whether it existed or not. `note` is a UUID
 * chosen by the caller, so that a call with a lost response can be repeated. `revision` is that of the note as read, 0
 * for a new one. 409 `conflict` when the revision has changed and the content differs, 409 `tooManyAtOnce` beyond
 * `noteLimits.notes`.
 */
export const NoteChange = v.pipe(
  v.object({ ...noted, revision: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  v.check(({ start, end }) => end >= start, "end: must not be before start"),
  v.check((note) => !isBlank(note), "must have a color or text"),
);
export type NoteChange = v.InferOutput<typeof NoteChange>;

/** A note of a transcription; its `revision` increases with every change. Times are ISO 8601, UTC. */
export const Note = v.object({
  id: v.string(),
  ...noted,
  revision: v.number(),
  createdAt: v.string(),
  changedAt: v.string(),
});
export type Note = v.InferOutput<typeof Note>;

/**
 * GET /api/v1/audio-transcriptions/transcription/{id}/notes, sorted by their start. DELETE of …/notes/{note} returns
 * 204, even when there is none.
 */
export const NotesAnswer = v.object({ notes: v.array(Note) });
export type NotesAnswer = v.InferOutput<typeof NotesAnswer>;

/** The notes as the page accepts them: an unknown color becomes the first. */
export const AcceptedNote = v.object({ ...Note.entries, colour: v.fallback(v.nullable(NoteColour), noteColours[0]) });
export const AcceptedNotes = v.object({ notes: acceptedRows(AcceptedNote) });

/** The place of a note: seconds in the recording. */
export type TimeRange = Pick<NoteDraft, "start" | "end">;

/** Whether a time belongs to a passage. @param seconds in the recording */
export const isWithin = ({ start, end }: TimeRange, seconds: number): boolean => seconds >= start && seconds < end;

/** Whether a segment and a passage overlap. */
export const overlaps = (segment: Pick<Segment, "start" | "end">, { start, end }: TimeRange): boolean =>
  segment.start < end && segment.end > start;

/**
 * The text of a passage, on one line: the words that begin in it. A segment without words contributes its whole text.
 * "" for none.
 * @param longest most characters; the rest is cut off
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
