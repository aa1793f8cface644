import type { SignInMethod } from "#contract/index.ts";

/** The tables of the second factor (schema.ts has the others). */
export interface SecondFactorSchema {
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  pending_sign_ins: PendingSignInTable;
  sealing_keys: SealingKeyTable;
}

/** What an account's authenticator app knows. */
export interface SecondFactorTable {
  user_id: string;
  /** The Base32 secret, encrypted (session/sealing.ts). */
  sealed_secret: string;
  created_at: number;
  /** When its first code was confirmed; null: signing in does not ask for one yet. */
  enabled_at: number | null;
  /** The latest time step whose code was accepted (RFC 6238, section 5.2): none is accepted twice. */
  last_step: number;
}

/** A recovery code that was not used. */
interface RecoveryCodeTable {
  /** SHA-256 of it with its account's id, hex. */
  hash: string;
  user_id: string;
}

/** A sign-in whose password, or provider, was right, and that waits for a code. */
export interface PendingSignInTable {
  /** SHA-256 of the secret in the browser's cookie, hex. */
  hash: string;
  user_id: string;
  method: SignInMethod;
  /** 1: it also links the provider's account that waits in this browser (pending_links). */
  links: number;
  /** Codes that were tried. */
  attempts: number;
  expires_at: number;
}

/** A key that encrypts secrets in the database, for processes that share one (session/sealing.ts). */
interface SealingKeyTable {
  id: string;
  secret: string;
  made_at: number;
}
