import type { Mark } from "#contract/index.ts";
import { folded } from "./terms.ts";

/** What folds by itself: letters of ASCII, which stay as many as they are, white space, a Korean syllable, any other letter with its marks, which may be half as wide (ﾞ ﾟ). */
const pieces = /[!-~]+|\s+|[\u1100-\u115f\uac00-\ud7a3][\u1160-\u11ff]*|.[\p{M}\uff9e\uff9f]*/gsu;
const ascii = /^[!-~]/;

/**
 * Where in a text something stands that was looked for, in order, as it is written there: "strasse" in "Straße", "cafe" in "Café".
 * @param wanted folded, trimmed; nothing is found for ""
 */
export function placesOf(text: string, wanted: string): Mark[] {
  if (wanted === "" || !folded(text).includes(wanted)) return [];
  let whole = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const own = folded(piece);
    // Two blanks are one, though something that nobody sees stands between them.
    const plain = own === " " && whole.endsWith(" ") ? "" : own;
    const isAscii = ascii.test(piece);
    for (let at = 0; at < plain.length; at += 1) {
      starts.push(isAscii ? index + at : index);
      ends.push(isAscii ? index + at + 1 : index + piece.length);
    }
    // A mark that stands by itself belongs to what is before it.
    if (plain === "" && ends.length > 0) ends[ends.length - 1] = index + piece.length;
    whole += plain;
  }
  const found: Mark[] = [];
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
    const [from, to] = [starts[at] ?? 0, ends[at + wanted.length - 1] ?? 0];
    // Of a letter that is two when it is folded, both may be found.
    if (from >= (found.at(-1)?.[1] ?? 0)) found.push([from, to]);
  }
  return found;
}
