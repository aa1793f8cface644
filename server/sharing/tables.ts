declare module "#server/db/schema.ts" {
  interface Schema {
    shared_links: SharedLinkTable;
  }
}

/** A read-only link to a transcription. */
export interface SharedLinkTable {
  /** 16 hex digits, part of the link. The id finds the row and opens nothing. */
  id: string;
  user_id: string;
  transcription_id: string;
  /** SHA-256 of the secret that opens the link, hex. */
  hash: string;
  /** The secret, encrypted for its owner (session/sealing.ts); null for a link of an earlier release. */
  sealed_secret: string | null;
  /** The sender's name on the link's page; "" for none. */
  name: string;
  audio: number;
  translation: number;
  download: number;
  /** Argon2id, PHC string; null without a passphrase. */
  passphrase_hash: string | null;
  /** Random, new with each change of the passphrase, which ends earlier grants. */
  lock: string;
  /** How often the page was opened. Nothing is stored about the visitors. */
  views: number;
  created_at: number;
  /** null: open until it is revoked. */
  expires_at: number | null;
}
