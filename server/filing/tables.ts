import type { TagColour } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    folders: FolderTable;
    tags: TagTable;
    filings: FilingTable;
    transcription_tags: TranscriptionTagTable;
  }
}

interface NamedTable {
  id: string;
  user_id: string;
  name: string;
  /** By which two of a person are the same, and by which they are sorted: in lower case. */
  name_key: string;
}

interface FolderTable extends NamedTable {
  /** What summaries of its transcripts look at: a built-in template, or the id of one of the person's own. */
  insight_template: string | null;
}

interface TagTable extends NamedTable {
  colour: TagColour;
}

/** Where a transcription is; one that was never put anywhere has no row. */
interface FilingTable {
  transcription_id: string;
  folder_id: string | null;
  favourite: number;
}

interface TranscriptionTagTable {
  transcription_id: string;
  tag_id: string;
}
