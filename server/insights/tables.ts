import type { InsightKind } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    insights: InsightTable;
    insight_templates: InsightTemplateTable;
  }
}

/** What a language model has made of a transcript. */
export interface InsightTable {
  id: string;
  user_id: string;
  transcription_id: string;
  kind: InsightKind;
  /** Of a summary: a built-in template, or the name of one of their own. */
  template: string | null;
  /** Of an answer. */
  question: string | null;
  /** JSON: Point[] */
  points: string;
  /** How many sentences rested on nothing, and were left out. */
  omitted: number;
  model: string;
  /** SHA-256 of the transcript's text, hex: where it is another, the text was corrected since. */
  text_hash: string;
  created_at: number;
}

/** What a person wants summaries to look at. */
interface InsightTemplateTable {
  id: string;
  user_id: string;
  name: string;
  prompt: string;
  created_at: number;
}
