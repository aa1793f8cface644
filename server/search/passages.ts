import type { Selectable } from "kysely";
import type { Segment } from "#contract/index.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import type { PassageTable } from "./tables.ts";
import { indexedTerms } from "./terms.ts";

/** A piece of a transcript that search can find. */
export type Passage = Omit<Selectable<PassageTable>, "id" | "transcription_id" | "user_id">;

export interface Searched {
  /** The user's tag (search/terms.ts). */
  tag: string;
  title: string;
  text: string;
  /** As requested ("auto" included). */
  language: string;
  segments: readonly Segment[];
}

/** Longest passage of one speaker without an interruption (seconds). */
const maxSeconds = 30;
/** Longest text of a passage (characters); longer texts are divided. */
const maxLength = 600;

type Piece = Omit<Passage, "terms">;

/**
 * Divides a transcript into its title and what one speaker says within half a minute. The borders depend on times and
 * speakers only, so that a corrected word changes one passage.
 */
export function passagesOf({ tag, title, text, language, segments }: Searched): Passage[] {
  const own = baseLanguage(language);
  const titled = { starts_at: null, ends_at: null, speaker: null, language: own, text: title, translation: "", is_title: 1 };
  const spoken = segments.some((segment) => segment.text.trim() !== "")
    ? joined(segments.flatMap((segment) => piecesOf(segment, own)))
    : cut(text.trim()).map((part) => ({ ...titled, text: part, is_title: 0 }));
  return [titled, ...spoken].filter((piece) => piece.text !== "").map((piece) => ({ ...piece, terms: termsOf(tag, piece) }));
}

function termsOf(tag: string, { speaker, text, translation }: Piece): string {
  // A number is an engine's label, not a name.
  const named = speaker === null || /^\d+$/.test(speaker) ? "" : speaker;
  return indexedTerms(tag, [named, text, translation]);
}

/** One piece, or several for a long text. Each piece begins at the time of one of its words. */
function piecesOf({ start, end, text, words, speaker, translation = "", language }: Segment, own: string): Piece[] {
  const parts = cut(oneLine(text));
  const translations = cut(oneLine(translation));
  const total = Math.max(1, text.length);
  let before = 0;
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    const word = words[Math.floor((before / total) * words.length)];
    before += part.length + 1;
    return {
      starts_at: index === 0 ? start : (word?.start ?? start),
      ends_at: end,
      speaker: speaker ?? null,
      language: language === undefined ? own : baseLanguage(language),
      text: part,
      translation: isLast ? translations.slice(index).join(" ") : (translations[index] ?? ""),
      is_title: 0,
    };
  });
}

function joined(pieces: readonly Piece[]): Piece[] {
  const passages: Piece[] = [];
  for (const piece of pieces) {
    const last = passages.at(-1);
    if (last !== undefined && belongsTo(last, piece)) {
      last.text = `${last.text} ${piece.text}`;
      last.translation = `${last.translation} ${piece.translation}`.trim();
      last.ends_at = piece.ends_at;
    } else passages.push({ ...piece });
  }
  return passages;
}

function belongsTo(last: Piece, next: Piece): boolean {
  const isSame = last.speaker === next.speaker && last.language === next.language;
  const lasts = (next.ends_at ?? 0) - (last.starts_at ?? 0);
  return isSame && lasts <= maxSeconds && last.text.length + next.text.length < maxLength;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Pieces of at most `maxLength` characters, at spaces where there are some. */
function cut(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxLength) {
    const space = rest.lastIndexOf(" ", maxLength);
    const end = space > maxLength / 2 ? space : maxLength - ((rest.codePointAt(maxLength - 1) ?? 0) > 0xff_ff ? 1 : 0);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}
