import { Note, NoteChange, NotesAnswer } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const about = { tag: "notes" } as const;

/** The operations of programs on the notes of a transcription. */
export const noteOperations = {
  list: { ...about, scope: "transcriptions:read", id: "listNotes", json: NotesAnswer },
  put: { ...about, scope: "transcriptions:write", id: "putNote", body: NoteChange, json: Note },
  remove: { ...about, scope: "transcriptions:write", id: "deleteNote" },
} as const satisfies Record<string, Operation>;
