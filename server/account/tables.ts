import type { InterfaceLanguage } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    account_tokens: AccountTokenTable;
    registrations: RegistrationTable;
    registration_links: RegistrationLinkTable;
  }
}

/** Mailed links; each works once. */
export interface AccountTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  user_id: string;
  purpose: "confirm" | "reset" | "newEmail" | "stopEmail";
  email: string;
  expires_at: number;
  /** The session that requested it, if it stays valid after the change. */
  session_id: string | null;
}

/** A pending registration: becomes an account when its address is confirmed together with this password. */
export interface RegistrationTable {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  language: InterfaceLanguage;
  created_at: number;
  expires_at: number;
}

/** Mailed links to the addresses of pending registrations. */
export interface RegistrationLinkTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  email: string;
  expires_at: number;
}
