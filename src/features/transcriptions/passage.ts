import { capitalized, contentStart, oneLine } from "#contract/index.ts";

/** A piece of a text: found by a search, or not. */
export interface Part {
  text: string;
  isHit: boolean;
}

/** Characters of a row's passage, and of those before the first hit: a phone's line shows about 30. */
const length = 400;
const lead = 12;

/** A title has at least so many characters of the text when it is its beginning. */
const shortest = 8;

/** What follows in a text on its title, where that is made of its first words; or else the whole text. */
function afterTitle(text: string, title: string, language: string): string {
  const begin = title.replace(/…$/, "").trim();
  if (begin.length < shortest) return text;
  const flat = oneLine(text);
  const at = [0, contentStart(flat, language)].find((from) => isSame(flat.slice(from, from + begin.length), begin));
  if (at === undefined) return text;
  const rest = flat.slice(at + begin.length).replace(/^[\s\p{P}]+/u, "");
  return rest === "" ? "" : `… ${rest}`;
}

/** A title begins with a capital letter, whatever the text has there. */
const isSame = (piece: string, begin: string): boolean => piece === begin || capitalized(piece) === begin;

/**
 * The passage of a row: where the search has found its words, or else the beginning, but for what its title says already.
 * @param term as typed
 * @param texts the original and its translation: the first that has the words is shown, or else the first
 * @param language of the original ("pt-br")
 */
export function passageOf(texts: readonly string[], term: string, title = "", language = "auto"): Part[] {
  const wanted = term.trim().toLowerCase();
  const isFound = wanted !== "" && texts.some((one) => one.toLowerCase().includes(wanted));
  if (!isFound) {
    const rest = afterTitle(texts[0] ?? "", title, language).slice(0, length);
    return rest === "" ? [] : [{ text: rest, isHit: false }];
  }
  const text = (wanted === "" ? undefined : texts.find((one) => one.toLowerCase().includes(wanted))) ?? texts[0] ?? "";
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted);
  const from = at <= lead ? 0 : wordStart(text, at - lead, at);
  const passage = text.slice(from, from + length);
  return partsOf(from === 0 ? passage : `… ${passage}`, term);
}

/** Divides a text where the words of a search begin and end, whatever their case. */
export function partsOf(text: string, term: string): Part[] {
  const wanted = term.trim().toLowerCase();
  const lower = text.toLowerCase();
  // A few letters are longer in lower case: their places are not those of the text.
  if (wanted === "" || lower.length !== text.length) return text === "" ? [] : [{ text, isHit: false }];
  const parts: Part[] = [];
  let done = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, done)) {
    if (at > done) parts.push({ text: text.slice(done, at), isHit: false });
    done = at + wanted.length;
    parts.push({ text: text.slice(at, done), isHit: true });
  }
  if (done < text.length) parts.push({ text: text.slice(done), isHit: false });
  return parts;
}

/** The first beginning of a word from an offset on; `latest` without one. */
function wordStart(text: string, from: number, latest: number): number {
  const space = text.indexOf(" ", from);
  return space < 0 || space >= latest ? from : space + 1;
}
