declare module "#server/db/schema.ts" {
  interface Schema {
    retention_rules: RetentionRuleTable;
    retention_notes: RetentionNoteTable;
  }
}

/** How long the transcriptions of a folder, or those in no folder, are kept. */
interface RetentionRuleTable {
  user_id: string;
  /** Null: the transcriptions in no folder. */
  folder_id: string | null;
  /** Days; null: for ever. */
  audio_days: number | null;
  text_days: number | null;
}

/** What the sweep has noted: an item's last day has begun, or its audio was deleted and the file still exists. */
interface RetentionNoteTable {
  transcription_id: string;
  what: "audio" | "text" | "file";
  /** Epoch ms. */
  noted_at: number;
}

// Makes this a module: only a module can add to another.
export {};
