declare module "#server/db/schema.ts" {
  interface Schema {
    second_factors: SecondFactorTable;
    recovery_codes: RecoveryCodeTable;
  }
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
