import type { MouseEvent } from "react";
import { type Segment, wordStarts } from "#contract/index.ts";
import type { PlaceStore } from "./reading-place.ts";
import type { RowLook } from "./row.ts";

/** The number of characters that are not white space. */
const lettersIn = (text: string): number => text.replace(/\s/g, "").length;

/** The offset in a text after this many non-space characters. `spaced`: also after the following space. */
function offsetAfter(text: string, letters: number, spaced: boolean): number {
  let offset = 0;
  for (let left = letters; left > 0 && offset < text.length; offset += 1) if (!/\s/.test(text[offset] ?? "")) left -= 1;
  return spaced && /\s/.test(text[offset] ?? "") ? offset + 1 : offset;
}

/**
 * The offset in a text at a pressed point of the element that shows the text. The element's white space may differ from
 * the text's.
 * @param x in px of the window, as `y`
 */
export function offsetAt(shown: Element, text: string, x: number, y: number): number {
  // In browsers without this function, the selection is already there.
  const { offsetNode: node, offset } = document.caretPositionFromPoint?.(x, y) ?? {
    offsetNode: getSelection()?.focusNode ?? null,
    offset: getSelection()?.focusOffset ?? 0,
  };
  if (node === null || !shown.contains(node)) return text.length;
  const range = document.createRange();
  range.selectNodeContents(shown);
  range.setEnd(node, offset);
  const before = range.toString();
  return offsetAfter(text, lettersIn(before), /\s$/.test(before));
}

/** The time of the word at the caret of a segment's field, in seconds. */
export function timeAt(segment: Segment, { selectionStart }: Pick<HTMLTextAreaElement, "selectionStart">): number {
  const before = wordStarts(segment).findLastIndex((place) => place <= selectionStart);
  return segment.words[Math.max(0, before)]?.start ?? segment.start;
}

/** Handles a press in the text: places the caret, or plays from the word. On an unsure word, offers to confirm it. */
export function press(
  { target, altKey, clientX, clientY }: MouseEvent,
  segments: readonly Segment[],
  { place }: { place: PlaceStore },
  { seekable, editable, actions }: RowLook,
) {
  // A drag over the text selects it, so it is not a press.
  if (!(target instanceof Element) || target.closest("button") !== null || getSelection()?.isCollapsed === false) return;
  const index = Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1);
  const shown = target.closest<HTMLElement>("[data-field]");
  const segment = segments[index];
  if (segment === undefined || shown === null) return;
  const word = target.closest<HTMLElement>("[data-start]")?.dataset;
  if (word?.unsure !== undefined) place.show({ index, word: Number(word.start), align: "none" });
  if (!editable || altKey) {
    const start = target instanceof HTMLTextAreaElement ? timeAt(segment, target) : word?.start;
    if (seekable && start !== undefined) actions.seek(Number(start));
  } else if (!(target instanceof HTMLTextAreaElement)) {
    const field = shown.dataset.field === "translation" ? "translation" : "text";
    actions.open(index, field, offsetAt(shown, segment[field] ?? "", clientX, clientY));
  }
}
