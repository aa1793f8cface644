import type { NoteColour } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    notes: NoteTable;
  }
}

/** A person's note on a passage of a transcription. */
export interface NoteTable {
  transcription_id: string;
  /** Chosen by the client: unique within the transcription. */
  id: string;
  user_id: string;
  /** Seconds in the recording. */
  starts_at: number;
  ends_at: number;
  /** null: it is no highlight. */
  colour: NoteColour | null;
  text: string;
  revision: number;
  created_at: number;
  changed_at: number;
}
