import type { Generated } from "kysely";
import type { SignInMethod } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    identities: IdentityTable;
    pending_links: PendingLinkTable;
    sessions: SessionTable;
    refresh_tokens: RefreshTokenTable;
    return_codes: ReturnCodeTable;
    device_keys: DeviceKeyTable;
    attempts: AttemptTable;
    signing_keys: SigningKeyTable;
    sign_ins: SignInTable;
    pending_sign_ins: PendingSignInTable;
    sealing_keys: SealingKeyTable;
  }
}

/** A provider's account linked to one of ours. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** A provider's account to be linked to one of ours once its password is entered. */
export interface PendingLinkTable {
  /** SHA-256 of the secret in the browser's cookie, hex. */
  hash: string;
  user_id: string;
  issuer: string;
  subject: string;
  /** The address according to the provider; "" for none. */
  email: string;
  /** Number of passwords tried. */
  attempts: number;
  expires_at: number;
}

/** A session on one device: a family of refresh tokens. */
export interface SessionTable {
  id: string;
  user_id: string;
  created_at: number;
  revoked_at: number | null;
  /** The browser's user agent; null for sessions from before it was stored. */
  device: string | null;
  seen_at: number | null;
  /** When the user last authenticated at a provider in this session; null for never. */
  confirmed_at: Generated<number | null>;
  /** The passkey that began the session, which may have been deleted since; null without a passkey. */
  passkey_id: Generated<string | null>;
}

export interface RefreshTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  session_id: string;
  created_at: number;
  expires_at: number;
  replaced_at: number | null;
  successor_hash: string | null;
  /** The successor, encrypted with a key derived from this token (session/refresh-tokens.ts). */
  sealed_successor: string | null;
}

/** A code that the page exchanges for a token, once, after a federated sign-in. */
export interface ReturnCodeTable {
  /** SHA-256 of the code, hex. */
  hash: string;
  user_id: string;
  expires_at: number;
}

/** The key that signs an account's device passes (session/devices.ts). Deleted when a credential changes. */
interface DeviceKeyTable {
  user_id: string;
  key: string;
}

/** Recent attempts, such as sign-ins and registrations, counted under a hash of address and account. */
export interface AttemptTable {
  key: string;
  count: number;
  resets_at: number;
}

/** A key that signs tokens, for processes without JWT_SECRET that share a database (session/key-queries.ts). */
interface SigningKeyTable {
  /** The newest key has the highest position. */
  position: number;
  secret: string;
  made_at: number;
}

/** A sign-in, listed so that the user can spot those of others. It outlives its session. */
export interface SignInTable {
  /** The id of its session. */
  id: string;
  user_id: string;
  /** Epoch ms. */
  at: number;
  method: SignInMethod;
  /** The browser's user agent; null for none. */
  device: string | null;
}

/** A sign-in whose password, or provider, was right, and that waits for a code. */
export interface PendingSignInTable {
  /** SHA-256 of the secret in the browser's cookie, hex. */
  hash: string;
  user_id: string;
  method: SignInMethod;
  /** 1: the sign-in also links the provider's account that is pending in this browser (pending_links). */
  links: number;
  /** Number of codes tried. */
  attempts: number;
  expires_at: number;
}

/** A key that encrypts secrets in the database, for processes that share one (session/sealing.ts). */
interface SealingKeyTable {
  id: string;
  secret: string;
  made_at: number;
}
