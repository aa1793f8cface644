import type { Strength } from "#machines/vault/passphrase.ts";

/** Minimum length in characters. An attacker with the server's data can guess a passphrase offline. */
export const shortestPassphrase = 12;
/** Minimum of distinct characters, against "aaaaaaaaaaaa". */
const fewestDifferent = 6;

/** Judged by length only: an understandable rule, but no guarantee. */
export function strengthOf(passphrase: string): Strength {
  const length = [...passphrase].length;
  if (length < shortestPassphrase || new Set(passphrase).size < fewestDifferent) return 0;
  if (length < 16) return 1;
  return length < 20 ? 2 : 3;
}
