import type { InsightKind } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    insights: InsightTable;
    insight_templates: InsightTemplateTable;
  }
}

/** A language model's result for a transcript. */
export interface InsightTable {
  id: string;
  user_id: string;
  transcription_id: string;
  kind: InsightKind;
  /** For a summary: a built-in template, or the name of the person's own. */
  template: string | null;
  /** For an answer. */
  question: string | null;
  /** JSON: Point[] */
  points: string;
  /** The number of sentences that were left out because they cited nothing. */
  omitted: number;
  model: string;
  /** SHA-256 of the transcript's text, hex: where it is another, the text was corrected since. */
  text_hash: string;
  created_at: number;
}

/** A person's own template for summaries. */
interface InsightTemplateTable {
  id: string;
  user_id: string;
  name: string;
  prompt: string;
  created_at: number;
}
