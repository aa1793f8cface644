import type { TextEdit } from "./post-text.ts";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Where a picture stands in a Markdown text: as a place, as a placeholder, or with the address that it has. */
function placeIn(text: string, id: string, url: string | null): { from: number; to: number; alt: string } | null {
  const addresses = [`upload:${escaped(id)}`, `\\/images\\/placeholder\\.svg\\?${escaped(id)}`, ...(url ? [escaped(url)] : [])];
  const found = new RegExp(`!\\[([^\\]\\n]*)\\]\\((?:${addresses.join("|")})(?:#[^)\\s]*)?\\)`).exec(text);
  return found && { from: found.index, to: found.index + found[0].length, alt: found[1] ?? "" };
}

const inBrackets = (alt: string) => alt.replaceAll(/\s+/g, " ").replaceAll(/[[\]]/g, "").trim();

/** What the picture is said to show; null when it does not stand in the text. @param words of its place: they say nothing */
export function altOf(text: string, id: string, url: string | null, words: string): string | null {
  const place = placeIn(text, id, url);
  return place && (place.alt === words ? "" : place.alt);
}

/** It is said what the picture shows. */
export function altEdit(text: string, id: string, url: string | null, alt: string): TextEdit | null {
  const place = placeIn(text, id, url);
  if (place === null) return null;
  const from = place.from + 2;
  return { from, to: from + place.alt.length, text: inBrackets(alt) };
}

/** The picture has an address: its place gives way to it. */
export function uploadedEdit(text: string, id: string, url: string, words: string): TextEdit | null {
  const place = placeIn(text, id, null);
  return place && { from: place.from, to: place.to, text: pictureMarkdown(url, place.alt === words ? "" : place.alt) };
}

/** The picture is given up: its place goes, with the empty line that it leaves. */
export function removalEdit(text: string, id: string): TextEdit | null {
  const place = placeIn(text, id, null);
  if (place === null) return null;
  const isAlone = /(^|\n)$/.test(text.slice(0, place.from)) && text.startsWith("\n", place.to);
  return { from: place.from, to: isAlone ? place.to + 1 : place.to, text: "" };
}

export const pictureMarkdown = (url: string, alt: string): string => `![${inBrackets(alt)}](${url})`;

/** Places for pictures where the cursor is, each on a line of its own. */
export function placesEdit(text: string, [from, to]: readonly [number, number], pictures: readonly string[]): TextEdit {
  const before = text.slice(0, from);
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const after = text.startsWith("\n", to) ? "\n" : "\n\n";
  const inserted = `${gap}${pictures.join("\n\n")}${after}`;
  return { from, to, text: inserted, select: [inserted.length, inserted.length] };
}
