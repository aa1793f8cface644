import type { Generated } from "kysely";

declare module "#server/db/schema.ts" {
  interface Schema {
    search_documents: SearchDocumentTable;
    passages: PassageTable;
  }
}

/** The indexing state of a transcription. */
interface SearchDocumentTable {
  transcription_id: string;
  user_id: string;
  /** When the audio was recorded (epoch ms), as known to the index. */
  date: number;
  /** Counts the changes of the searched columns. */
  version: number;
  /** The version of the stored passages. They are searched only if it is the current one. */
  indexed: number;
}

/** A piece of a transcript that can be found: what one person says within half a minute, or a title. */
export interface PassageTable {
  /** Never reused: the index may still hold a deleted id, and must not lead to another passage. */
  id: Generated<number>;
  transcription_id: string;
  user_id: string;
  /** Seconds from the beginning of the audio; null for a title, and for a text without times. */
  starts_at: number | null;
  ends_at: number | null;
  /** The engine's label or the user's name for the speaker; null for none. */
  speaker: string | null;
  /** The language's code without its region, or "auto". */
  language: string;
  text: string;
  /** "" for none. */
  translation: string;
  /** 1 for a title. */
  is_title: number;
  /** The terms that find the passage (search/terms.ts), separated by spaces. */
  terms: string;
}
