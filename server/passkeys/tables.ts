declare module "#server/db/schema.ts" {
  interface Schema {
    passkeys: PasskeyTable;
    passkey_challenges: PasskeyChallengeTable;
  }
}

/** A user's public key for signing in (WebAuthn). */
export interface PasskeyTable {
  id: string;
  user_id: string;
  /** The authenticator's name for it, base64url: one account's alone. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** The authenticator's counter; 0 if it has none. */
  counter: number;
  /** JSON: the transports that the browser reported. */
  transports: string;
  /** 1: synced to several devices (WebAuthn: eligible for backup). */
  synced: number;
  name: string;
  created_at: number;
  used_at: number | null;
}

/** A challenge, to be signed once. */
export interface PasskeyChallengeTable {
  /** Its SHA-256, hex. */
  hash: string;
  purpose: "add" | "signIn";
  /** The account that gets a passkey, and the session in which its owner was confirmed; null for signing in. */
  user_id: string | null;
  session_id: string | null;
  expires_at: number;
}
