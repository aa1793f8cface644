import type { ShareRole } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    transcription_shares: TranscriptionShareTable;
  }
}

/** A transcription that is shared with an account, or offered to an address. */
export interface TranscriptionShareTable {
  id: string;
  transcription_id: string;
  owner_id: string;
  /** The address of the offer, in lower case. The owner never learns whose it is. */
  email: string;
  /** The account that has accepted it; null: still offered. */
  user_id: string | null;
  role: ShareRole;
  created_at: number;
  /** When the offer ends; null once it is accepted. */
  expires_at: number | null;
}
