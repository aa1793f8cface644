declare module "#server/db/schema.ts" {
  interface Schema {
    vaults: VaultTable;
    vault_items: VaultItemTable;
    vault_links: VaultLinkTable;
  }
}

/** A vault's public key, and its private key encrypted twice (contract/vault.ts). */
export interface VaultTable {
  user_id: string;
  recipient: string;
  sealed: string;
  recovery_sealed: string;
  revision: number;
  created_at: number;
}

/** A recording in a vault. Its file is in the data folder. */
export interface VaultItemTable {
  id: string;
  user_id: string;
  client_id: string;
  transcription_id: string | null;
  meta: string;
  /** Size of the encrypted file, and the bytes received so far. */
  size: number;
  received: number;
  has_text: number;
  /** Of the text, in bytes; null: there is none, or it is from before this was known. */
  text_bytes: number | null;
  created_at: number;
  /** Time of the last bytes received. */
  touched_at: number;
  /** When it was complete. */
  arrived_at: number | null;
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
