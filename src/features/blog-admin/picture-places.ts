import type { TextEdit } from "./post-text.ts";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Finds a picture in a Markdown text: by its upload id, its placeholder, or its URL. */
function placeIn(text: string, id: string, url: string | null): { from: number; to: number; alt: string } | null {
  const addresses = [`upload:${escaped(id)}`, `\\/images\\/placeholder\\.svg\\?${escaped(id)}`, ...(url ? [escaped(url)] : [])];
  const found = new RegExp(`!\\[([^\\]\\n]*)\\]\\((?:${addresses.join("|")})(?:#[^)\\s]*)?\\)`).exec(text);
  return found && { from: found.index, to: found.index + found[0].length, alt: found[1] ?? "" };
}

const inBrackets = (alt: string) => alt.replaceAll(/\s+/g, " ").replaceAll(/[[\]]/g, "").trim();

/**
 * The picture's alternative text; null when the text does not contain the picture.
 * @param words the default text of a new picture, which does not count as alternative text
 */
export function altOf(text: string, id: string, url: string | null, words: string): string | null {
  const place = placeIn(text, id, url);
  return place && (place.alt === words ? "" : place.alt);
}

/** Sets the picture's alternative text. */
export function altEdit(text: string, id: string, url: string | null, alt: string): TextEdit | null {
  const place = placeIn(text, id, url);
  if (place === null) return null;
  const from = place.from + 2;
  return { from, to: from + place.alt.length, text: inBrackets(alt) };
}

/** Replaces the picture's upload id by its URL. */
export function uploadedEdit(text: string, id: string, url: string, words: string): TextEdit | null {
  const place = placeIn(text, id, null);
  return place && { from: place.from, to: place.to, text: pictureMarkdown(url, place.alt === words ? "" : place.alt) };
}

/** Removes the picture from the text, with the empty line that it leaves. */
export function removalEdit(text: string, id: string): TextEdit | null {
  const place = placeIn(text, id, null);
  if (place === null) return null;
  const isAlone = /(^|\n)$/.test(text.slice(0, place.from)) && text.startsWith("\n", place.to);
  return { from: place.from, to: isAlone ? place.to + 1 : place.to, text: "" };
}

export const pictureMarkdown = (url: string, alt: string): string => `![${inBrackets(alt)}](${url})`;

/** Inserts pictures at the cursor, each on its own line. */
export function placesEdit(text: string, [from, to]: readonly [number, number], pictures: readonly string[]): TextEdit {
  const before = text.slice(0, from);
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const after = text.startsWith("\n", to) ? "\n" : "\n\n";
  const inserted = `${gap}${pictures.join("\n\n")}${after}`;
  return { from, to, text: inserted, select: [inserted.length, inserted.length] };
}
