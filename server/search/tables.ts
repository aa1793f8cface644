import type { Generated } from "kysely";

declare module "#server/db/schema.ts" {
  interface Schema {
    search_documents: SearchDocumentTable;
    passages: PassageTable;
  }
}

/** How far the index is with a transcription. */
interface SearchDocumentTable {
  transcription_id: string;
  user_id: string;
  /** When it was recorded (epoch ms), as far as the index knows. */
  date: number;
  /** Counts the changes of what is searched. */
  version: number;
  /** The version that the passages are of: only those of the current one are searched. */
  indexed: number;
}

/** A piece of a transcript that can be found: what one person says within half a minute, or a title. */
export interface PassageTable {
  /** Never used again, so that an index that has still to be cleared of one does not lead to another. */
  id: Generated<number>;
  transcription_id: string;
  user_id: string;
  /** Seconds from the beginning of the audio; null for a title, and for a text without times. */
  starts_at: number | null;
  ends_at: number | null;
  /** As labelled by the engine, or named; null for none. */
  speaker: string | null;
  /** The language's code without its region, or "auto". */
  language: string;
  text: string;
  /** "" for none. */
  translation: string;
  /** 1 for a title. */
  is_title: number;
  /** What it is found by (search/terms.ts), with spaces between. */
  terms: string;
}
