const own = ["wrongPassphrase", "wrongRecoveryKey", "tampered", "locked", "unreadable", "different", "conflict", "storageFull"];
const microphone = ["refused", "missing", "busy", "unsupported"];

/** The text of an error code: the vault's, the microphone's, or a general one. */
export function problemKey(code: string): string {
  if (own.includes(code)) return `vault:problem.${code}`;
  return microphone.includes(code) ? `app:speech.microphone.${code}` : `errors.${code}`;
}
