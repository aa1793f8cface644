declare module "#server/db/schema.ts" {
  interface Schema {
    second_factors: SecondFactorTable;
    recovery_codes: RecoveryCodeTable;
  }
}

/** An account's authenticator app. */
export interface SecondFactorTable {
  user_id: string;
  /** The Base32 secret, encrypted (session/sealing.ts). */
  sealed_secret: string;
  created_at: number;
  /** When the first code was confirmed; null: signing in does not ask for a code yet. */
  enabled_at: number | null;
  /** The latest time step whose code was accepted (RFC 6238, section 5.2). No step is accepted twice. */
  last_step: number;
}

/** An unused recovery code. */
interface RecoveryCodeTable {
  /** SHA-256 of the code with its account's id, hex. */
  hash: string;
  user_id: string;
}
