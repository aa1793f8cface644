declare module "#server/db/schema.ts" {
  interface Schema {
    shared_links: SharedLinkTable;
  }
}

/** A read-only link to a transcription. */
export interface SharedLinkTable {
  /** 16 hex digits, part of the link: it finds the row and opens nothing. */
  id: string;
  user_id: string;
  transcription_id: string;
  /** SHA-256 of what opens it, hex. */
  hash: string;
  /** What opens it, encrypted for its owner (session/sealing.ts); null for a link of an earlier release. */
  sealed_secret: string | null;
  /** Who its page says that it is from; "" for nobody. */
  name: string;
  audio: number;
  translation: number;
  download: number;
  /** Argon2id, PHC string; null: no passphrase is asked for. */
  passphrase_hash: string | null;
  /** Random, new with each change of the passphrase: what was opened with another one is closed. */
  lock: string;
  /** How often its page was opened. Nothing is kept of who did. */
  views: number;
  created_at: number;
  /** null: when it is revoked. */
  expires_at: number | null;
}
