import { joinedText, type Regroup, type Transcription } from "#contract/index.ts";
import { type Draft, type Typing, textAt } from "./changes.ts";
import { placesAfter } from "./passages.ts";
import { fieldOf } from "./spans.ts";

interface Fields {
  typing: Typing;
  /** The transcription as it is shown. */
  shown: Pick<Transcription, "text" | "segments"> | null;
}

/**
 * Open but untouched fields get the server's current text, so that saving one does not undo another tab's correction.
 */
export function refreshedTyping(typing: Typing, before: Fields["shown"], now: Fields["shown"]): Typing {
  const isStale = (key: string) => typing[key] === textAt(before, key) && typing[key] !== textAt(now, key);
  if (!Object.keys(typing).some(isStale)) return typing;
  return Object.fromEntries(Object.entries(typing).map(([key, text]) => [key, isStale(key) ? textAt(now, key) : text]));
}

/** Open but untouched fields follow a change from elsewhere (a replacement, an undo); input stays. */
export function typingAfter(
  { typing, shown: now }: Fields,
  { text, edits, translations = {}, regroups = [] }: Draft,
  closes?: string,
): Typing {
  const moved = Object.entries(typing).map(([key, typed]) => {
    const field = fieldOf(key);
    const after = field === undefined ? text : (field.prefix === "" ? edits : translations)[field.index];
    return [key, after !== undefined && typed === textAt(now, key) ? after : typed];
  });
  const open: Typing = Object.fromEntries(moved.filter(([key]) => key !== closes));
  return regroups.length === 0 ? open : regroupedTyping({ typing: open, shown: now }, regroups);
}

/**
 * Fields after splits and merges from elsewhere: the fields of deleted passages are closed. If one has input, it moves
 * to the field of the first passage that replaced it.
 */
export function regroupedTyping({ typing, shown: now }: Fields, regroups: readonly Regroup[]): Typing {
  const { text, ...fields } = typing;
  const others = movedTyping(fields, regroups);
  const places = placesAfter(regroups);
  const typed = regroups.flatMap(({ index, count }, at) =>
    ["", "translation:"].flatMap((prefix) => {
      const keys = Array.from({ length: count }, (_, own) => `${prefix}${index + own}`);
      const isTyped = keys.some((key) => typing[key] !== undefined && typing[key] !== textAt(now, key));
      return isTyped ? [[`${prefix}${places[at]}`, joinedText(keys.map((key) => typing[key] ?? textAt(now, key)))]] : [];
    }),
  );
  return { ...(text !== undefined && { text }), ...others, ...Object.fromEntries(typed) };
}

/** The fields of all other passages, where they are after splits and merges. */
function movedTyping(typing: Typing, regroups: readonly Regroup[]): Typing {
  const moved = Object.entries(typing).flatMap(([key, text]) => {
    const { index, prefix } = fieldOf(key) ?? { index: -1, prefix: "" };
    const before = regroups.filter((regroup) => regroup.index <= index);
    const last = before.at(-1);
    if (last !== undefined && index < last.index + last.count) return [];
    const shift = before.reduce((sum, { count, passages }) => sum + passages.length - count, 0);
    return [[`${prefix}${index + shift}`, text]];
  });
  return Object.fromEntries(moved);
}
