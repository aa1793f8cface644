import { capitalized, contentStart, oneLine } from "#contract/index.ts";
import { placesOf } from "#contract/search/places.ts";
import { folded } from "#contract/search/terms.ts";

/** A piece of a text: a search hit or not. */
export interface Part {
  text: string;
  isHit: boolean;
}

/** Characters of a row's passage, and of the part before the first hit. A phone's line shows about 30. */
const length = 400;
const lead = 12;

/** The minimum number of characters that a title must share with the text's beginning to count as derived from it. */
const shortest = 8;

/** The text after its title if the title consists of its first words; otherwise the whole text. */
function afterTitle(text: string, title: string, language: string): string {
  const begin = title.replace(/…$/, "").trim();
  if (begin.length < shortest) return text;
  const flat = oneLine(text);
  const at = [0, contentStart(flat, language)].find((from) => isSame(flat.slice(from, from + begin.length), begin));
  if (at === undefined) return text;
  const rest = flat.slice(at + begin.length).replace(/^[\s\p{P}]+/u, "");
  return rest === "" ? "" : `… ${rest}`;
}

/** Ignores that a title begins with a capital letter. */
const isSame = (piece: string, begin: string): boolean => piece === begin || capitalized(piece) === begin;

/**
 * The passage of a row: the text around the search hit, or else the beginning, without the part that the title repeats.
 * @param term as typed
 * @param texts the original and its translation; the first one with a hit is shown, or else the first
 * @param language of the original ("pt-br")
 */
export function passageOf(texts: readonly string[], term: string, title = "", language = "auto"): Part[] {
  const wanted = folded(term).trim();
  const text = wanted === "" ? undefined : texts.find((one) => folded(one).includes(wanted));
  if (text === undefined) {
    const rest = afterTitle(texts[0] ?? "", title, language).slice(0, length);
    return rest === "" ? [] : [{ text: rest, isHit: false }];
  }
  const at = placesOf(text, wanted)[0]?.[0] ?? 0;
  const from = at <= lead ? 0 : wordStart(text, at - lead, at);
  const passage = text.slice(from, from + length);
  return partsOf(from === 0 ? passage : `… ${passage}`, term);
}

/** Splits a text at the boundaries of search hits, ignoring case and accents. */
export function partsOf(text: string, term: string): Part[] {
  const parts: Part[] = [];
  let done = 0;
  for (const [from, to] of placesOf(text, folded(term).trim())) {
    if (from > done) parts.push({ text: text.slice(done, from), isHit: false });
    parts.push({ text: text.slice(from, to), isHit: true });
    done = to;
  }
  if (done < text.length) parts.push({ text: text.slice(done), isHit: false });
  return parts;
}

/** The first start of a word from an offset on; `latest` without one. */
function wordStart(text: string, from: number, latest: number): number {
  const space = text.indexOf(" ", from);
  return space < 0 || space >= latest ? from : space + 1;
}
