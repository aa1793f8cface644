import { undefined as nothing } from "valibot";
import { AcceptedNote, AcceptedNotes, type NoteChange } from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

/** The calls about highlights and notes in the user's own transcripts. Each throws ApiError. */
export function createNotesApi(call: Call) {
  const notesOf = (transcription: string) => `${transcriptionPath(transcription)}/notes`;
  const one = (transcription: string, id: string) => `${notesOf(transcription)}/${encodeURIComponent(id)}`;
  return {
    list: async (transcription: string, signal?: AbortSignal) =>
      (await call(notesOf(transcription), { schema: AcceptedNotes, signal })).notes,
    /** Adds a note, or changes the one with this id. Rejects with 409 `conflict` when the note has a newer revision. */
    put: (transcription: string, id: string, json: NoteChange, signal?: AbortSignal) =>
      call(one(transcription, id), { method: "PUT", json, schema: AcceptedNote, signal }),
    remove: (transcription: string, id: string, signal?: AbortSignal) =>
      call(one(transcription, id), { method: "DELETE", schema: nothing(), signal }),
  };
}
