import { failureKey } from "#src/audio/microphone-problem.ts";
import { DeviceFailure } from "#src/features/device-models/failure.ts";
import { VaultFailure } from "./worker.ts";

const own = ["wrongPassphrase", "wrongRecoveryKey", "tampered", "locked", "unreadable", "different", "conflict", "storageFull"];

const device = "device.";
/** Rethrows an error of the model on this device as a VaultFailure. */
export function failByModel(error: unknown): never {
  throw error instanceof DeviceFailure ? new VaultFailure(`${device}${error.code}`) : error;
}

/** The text's key for an error code: of the vault, of the model on this device, of the microphone, or a general one. */
export function problemKey(code: string): string {
  if (code.startsWith(device)) return `device-models:failure.${code.slice(device.length)}`;
  return own.includes(code) ? `vault:problem.${code}` : failureKey(code);
}
