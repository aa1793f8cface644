import type { Mark } from "#contract/index.ts";
import { folded } from "./terms.ts";

/**
 * Pieces that are folded separately: ASCII letters, whose number stays the same, white space, a Korean syllable, or any
 * other letter with its marks, which may be half-width (ﾞ ﾟ).
 */
const pieces = /[!-~]+|\s+|[\u1100-\u115f\uac00-\ud7a3][\u1160-\u11ff]*|.[\p{M}\uff9e\uff9f]*/gsu;
const ascii = /^[!-~]/;

/**
 * The matches in a text, in order, as written there: "strasse" in "Straße", "cafe" in "Café".
 * @param wanted folded, trimmed; "" finds nothing
 */
export function placesOf(text: string, wanted: string): Mark[] {
  if (wanted === "" || !folded(text).includes(wanted)) return [];
  let whole = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const own = folded(piece);
    // Two spaces count as one, even with an invisible character between them.
    const plain = own === " " && whole.endsWith(" ") ? "" : own;
    const isAscii = ascii.test(piece);
    for (let at = 0; at < plain.length; at += 1) {
      starts.push(isAscii ? index + at : index);
      ends.push(isAscii ? index + at + 1 : index + piece.length);
    }
    // A separate mark belongs to the character before it.
    if (plain === "" && ends.length > 0) ends[ends.length - 1] = index + piece.length;
    whole += plain;
  }
  const found: Mark[] = [];
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
    const [from, to] = [starts[at] ?? 0, ends[at + wanted.length - 1] ?? 0];
    // A letter that folds to two is marked once, even if both match.
    if (from >= (found.at(-1)?.[1] ?? 0)) found.push([from, to]);
  }
  return found;
}
