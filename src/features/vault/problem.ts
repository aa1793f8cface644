import { failureKey } from "#src/audio/microphone-problem.ts";

const own = ["wrongPassphrase", "wrongRecoveryKey", "tampered", "locked", "unreadable", "different", "conflict", "storageFull"];

const device = "device.";
/** An error of the model on this device, as one of the vault's error codes. @param code of `device-models:failure.*` */
export const deviceProblem = (code: string): string => `${device}${code}`;

/** The text of an error code: the vault's, the model's on this device, the microphone's, or a general one. */
export function problemKey(code: string): string {
  if (code.startsWith(device)) return `device-models:failure.${code.slice(device.length)}`;
  return own.includes(code) ? `vault:problem.${code}` : failureKey(code);
}
