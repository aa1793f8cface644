import { failureKey } from "#src/audio/microphone-problem.ts";

const own = ["wrongPassphrase", "wrongRecoveryKey", "tampered", "locked", "unreadable", "different", "conflict", "storageFull"];

/** The text of an error code: the vault's, the microphone's, or a general one. */
export function problemKey(code: string): string {
  return own.includes(code) ? `vault:problem.${code}` : failureKey(code);
}
