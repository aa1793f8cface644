declare module "#server/db/schema.ts" {
  interface Schema {
    passkeys: PasskeyTable;
    passkey_challenges: PasskeyChallengeTable;
  }
}

/** A public key that signs somebody in (WebAuthn). */
export interface PasskeyTable {
  id: string;
  user_id: string;
  /** The authenticator's name for it, base64url: one account's alone. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** What the authenticator has counted; 0 for those that don't count. */
  counter: number;
  /** JSON: the ways to reach it, as the browser said. */
  transports: string;
  /** 1: kept on several devices (WebAuthn: eligible for backup). */
  synced: number;
  name: string;
  created_at: number;
  used_at: number | null;
}

/** A challenge that is to be signed once. */
export interface PasskeyChallengeTable {
  /** SHA-256 of it, hex. */
  hash: string;
  purpose: "add" | "signIn";
  /** The account that is to get a passkey, and the session in which its owner was confirmed; null for signing in. */
  user_id: string | null;
  session_id: string | null;
  expires_at: number;
}
