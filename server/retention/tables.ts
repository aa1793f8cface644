declare module "#server/db/schema.ts" {
  interface Schema {
    retention_rules: RetentionRuleTable;
    retention_notes: RetentionNoteTable;
  }
}

/** For how long the transcriptions of a folder, or those in none, are kept. */
interface RetentionRuleTable {
  user_id: string;
  /** Null: those in no folder. */
  folder_id: string | null;
  /** Days; null: for ever. */
  audio_days: number | null;
  text_days: number | null;
}

/** What the sweep has seen: something's last day has begun; or its sound is no longer its own, and the file is still there. */
interface RetentionNoteTable {
  transcription_id: string;
  what: "audio" | "text" | "file";
  /** Epoch ms. */
  noted_at: number;
}

// Makes this a module: only a module can add to another.
export {};
