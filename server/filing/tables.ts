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
  /** The name in lower case: unique per person, and the sort key. */
  name_key: string;
}

interface FolderTable extends NamedTable {
  /** The default template for summaries of its transcripts: a built-in one, or the id of one of the person's own. */
  insight_template: string | null;
}

interface TagTable extends NamedTable {
  colour: TagColour;
}

/** A transcription's folder; one that was never filed has no row. */
interface FilingTable {
  transcription_id: string;
  folder_id: string | null;
  favourite: number;
}

interface TranscriptionTagTable {
  transcription_id: string;
  tag_id: string;
}
