/** Characters; a passphrase is guessed offline by whoever has the server's data. */
export const shortestPassphrase = 12;
/** Fewer different ones are "aaaaaaaaaaaa". */
const fewestDifferent = 6;

/** How hard it is to guess, by length alone: 0 is refused, 3 is best. A rule that everybody understands, not a promise. */
export function strengthOf(passphrase: string): 0 | 1 | 2 | 3 {
  const length = [...passphrase].length;
  if (length < shortestPassphrase || new Set(passphrase).size < fewestDifferent) return 0;
  if (length < 16) return 1;
  return length < 20 ? 2 : 3;
}
