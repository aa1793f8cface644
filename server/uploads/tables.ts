declare module "#server/db/schema.ts" {
  interface Schema {
    uploads: UploadTable;
    fetches: FetchTable;
  }
}

/** A resumable upload. Deleted when it is complete or has expired. */
export interface UploadTable {
  /** The id of its future transcription. */
  id: string;
  user_id: string;
  client_id: string;
  /** Size of the complete file, in bytes. */
  size: number;
  /** JSON: the options (UploadFields as sent). */
  fields: string;
  file_name: string;
  file_type: string;
  created_at: number;
}

/** A transcription whose recording is to be fetched. */
interface FetchTable {
  transcription_id: string;
  url: string;
}
