/** The table of links (schema.ts has the others). */
export interface SharingSchema {
  shared_links: SharedLinkTable;
  vault_links: VaultLinkTable;
}

/** A read-only link to a recording in the vault. */
export interface VaultLinkTable {
  /** 16 hex digits, part of the link: it finds the row and opens nothing. */
  id: string;
  user_id: string;
  item_id: string;
  /** SHA-256 of what the server asks for, hex. */
  hash: string;
  /** An armored age file: title, key of the sound and text, encrypted with what is in the link's fragment alone. */
  sealed: string;
  audio: number;
  has_text: number;
  /** A passphrase is a part of what opens `sealed`. Nothing of it is here. */
  locked: number;
  /** How often its page was opened. Nothing is kept of who did. */
  views: number;
  created_at: number;
  /** null: when it is revoked. */
  expires_at: number | null;
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
