import { Note, NoteChange, NotesAnswer } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const about = { tag: "Notes" } as const;

/** What programs do with the notes of a transcription. */
export const noteOperations = {
  list: {
    ...about,
    scope: "transcriptions:read",
    id: "listNotes",
    summary: "The highlights and notes of a transcription",
    description: "By where they begin. A note stays at its times, whatever becomes of the text there.",
    answer: { status: 200, json: NotesAnswer },
  },
  put: {
    ...about,
    scope: "transcriptions:write",
    id: "putNote",
    summary: "Add or replace a highlight or note",
    description:
      "`note` is a UUID that you choose, so that a call can be repeated. `revision` is that of the note which you have read, 0 for a new one: 409 when it was changed meanwhile.",
    body: NoteChange,
    answer: { status: 200, json: Note },
  },
  remove: {
    ...about,
    scope: "transcriptions:write",
    id: "deleteNote",
    summary: "Delete a highlight or note",
    answer: { status: 204 },
  },
} as const satisfies Record<string, Operation>;
