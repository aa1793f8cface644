declare module "#server/db/schema.ts" {
  interface Schema {
    personal_tokens: PersonalTokenTable;
  }
}

export interface PersonalTokenTable {
  /** 16 hex digits, part of the token. */
  id: string;
  user_id: string;
  /** SHA-256 of the whole token, hex. */
  hash: string;
  name: string;
  /** JSON: the scopes (contract/personal-tokens.ts). */
  scopes: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  expires_at: number;
  /** Epoch ms, to the minute; null for never. */
  used_at: number | null;
}
