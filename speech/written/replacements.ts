import type { Replacement } from "#contract/index.ts";
import { normalForm } from "#contract/normal-form.ts";
import type { Rewrite } from "./rewrite.ts";

/** A node in the tree of all terms to replace, word by word. */
interface Place {
  /** Child nodes by the gap before the next word, and the word. */
  next: Map<string, Place>;
  /** Terms that end here. */
  ends: { before: string; after: string; written: string }[];
}

interface Token {
  from: number;
  to: number;
  key: string;
}

/** Finds the replacements in a text, in linear time. Terms are literal words, not patterns. */
export type FindReplacements = (text: string) => Rewrite[];

/**
 * Prepares replacements of whole words in any case. At one place the longest match counts; of two for the same words,
 * the first. Scripts without spaces (Chinese, Japanese, Thai …) would need a dictionary to find whole words, so every
 * occurrence counts there.
 */
export function prepareReplacements(replacements: readonly Replacement[]): FindReplacements {
  if (replacements.length === 0) return () => [];
  const root: Place = { next: new Map(), ends: [] };
  for (const replacement of replacements) add(root, replacement);
  return (text) => {
    const tokens = tokensOf(text);
    const found: Rewrite[] = [];
    for (let at = 0; at < tokens.length; ) {
      const match = longestAt(root, text, tokens, at);
      // A text that already has the wanted spelling needs no mark.
      if (match !== undefined && match.from >= (found.at(-1)?.to ?? 0) && text.slice(match.from, match.to) !== match.written) {
        found.push({ from: match.from, to: match.to, written: match.written });
      }
      at = match === undefined ? at + 1 : match.next;
    }
    return found;
  };
}

function add(root: Place, { heard, written }: Replacement): void {
  const tokens = tokensOf(heard);
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return;
  let place = root;
  tokens.forEach(({ key, from }, index) => {
    const step = `${gapKey(heard.slice(tokens[index - 1]?.to ?? from, from))}\n${key}`;
    const known = place.next.get(step) ?? { next: new Map(), ends: [] };
    place.next.set(step, known);
    place = known;
  });
  const end = { before: heard.slice(0, first.from).trim(), after: heard.slice(last.to).trim(), written };
  if (place.ends.some(({ before, after }) => before === end.before && after === end.after)) return;
  place.ends.push(end);
  // "C++" is tried before "C".
  place.ends.sort((one, other) => other.before.length + other.after.length - one.before.length - one.after.length);
}

function longestAt(root: Place, text: string, tokens: readonly Token[], at: number): (Rewrite & { next: number }) | undefined {
  let best: (Rewrite & { next: number }) | undefined;
  let place: Place | undefined = root;
  const start = tokens[at]?.from ?? 0;
  for (let index = at; place !== undefined; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    place = place.next.get(
      `${gapKey(text.slice(index === at ? token.from : (tokens[index - 1]?.to ?? 0), token.from))}\n${token.key}`,
    );
    const end = place?.ends.find(
      ({ before, after }) => text.startsWith(after, token.to) && text.startsWith(before, start - before.length),
    );
    if (end === undefined) continue;
    const from = start - end.before.length;
    best = { from, to: token.to + end.after.length, written: end.written, next: index + 1 };
  }
  return best;
}

/** Scripts without spaces between words. Katakana is not included: it is mostly names and foreign words. */
const spaceless = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const token = new RegExp(
  String.raw`[${spaceless}]\p{M}*|[[\p{L}\p{N}]--[${spaceless}]](?:[[\p{L}\p{M}\p{N}]--[${spaceless}]]|['’](?=[\p{L}\p{N}]))*`,
  "gv",
);

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(token), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
    key: folded(match[0]),
  }));
}

/** A form that is the same for all upper- and lower-case spellings of a word. */
function folded(word: string): string {
  const upper = normalForm(word.replaceAll("’", "'"), "NFC").toUpperCase();
  return normalForm(upper.toLowerCase(), "NFC");
}

/** The gap between two words; a hyphen equals a space. */
function gapKey(gap: string): string {
  if (gap === "") return "";
  return /^[\s\-‐‑–]+$/.test(gap) ? " " : gap.replace(/\s+/g, "");
}
