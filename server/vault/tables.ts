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

/** A recording in a vault. Its file is in the file storage. */
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
  /** Size of the text, in bytes; null without a text, or when it is from before sizes were stored. */
  text_bytes: number | null;
  created_at: number;
  /** When the last bytes were received. */
  touched_at: number;
  /** When it became complete. */
  arrived_at: number | null;
}

/** A read-only link to a recording in the vault. */
export interface VaultLinkTable {
  /** 16 hex digits, part of the link. The id finds the row and opens nothing. */
  id: string;
  user_id: string;
  item_id: string;
  /** SHA-256 of the secret that the server asks for, hex. */
  hash: string;
  /** An armored age file with title, key of the audio, and text. Only the link's fragment decrypts it. */
  sealed: string;
  audio: number;
  has_text: number;
  /** Whether opening `sealed` also needs a passphrase. The passphrase is not stored. */
  locked: number;
  /** How often the page was opened. Nothing is stored about the visitors. */
  views: number;
  created_at: number;
  /** null: open until it is revoked. */
  expires_at: number | null;
}
