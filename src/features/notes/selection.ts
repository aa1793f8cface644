import { type Segment, type TimeRange, wordStarts } from "#contract/index.ts";
import { spanning } from "#machines/notes/rules.ts";

/** Whether some of an element's text is selected. A selection that ends at the element's start does not count. */
function takes(range: Range, element: Element): boolean {
  if (!range.intersectsNode(element)) return false;
  const part = document.createRange();
  part.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part.toString().trim() !== "";
}

/** A row's first and last selected word, by time. The whole segment if only its translation is selected. */
function selectedInRow(range: Range, row: HTMLElement, segments: readonly Segment[]): [TimeRange, TimeRange] | undefined {
  const segment = segments[Number(row.dataset.index)];
  if (segment === undefined) return undefined;
  const words = [...row.querySelectorAll<HTMLElement>("[data-start]")].filter((word) => takes(range, word));
  const timeOf = (word: HTMLElement | undefined) =>
    segment.words.find(({ start }) => start === Number(word?.dataset.start)) ?? segment;
  return [timeOf(words[0]), timeOf(words.at(-1))];
}

/** The focused text field of a passage; undefined if the focus is elsewhere. */
function typedField(): HTMLTextAreaElement | undefined {
  const { activeElement: active } = document;
  return active instanceof HTMLTextAreaElement && active.closest("[data-index]") !== null ? active : undefined;
}

/** The selected words in a passage's text field. The whole passage if its words differ from those of the recording. */
function selectedInField(area: HTMLTextAreaElement, segments: readonly Segment[]): TimeRange | null {
  const segment = segments[Number(area.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1)];
  const { selectionStart: from, selectionEnd: to, value } = area;
  if (segment === undefined || value.slice(from, to).trim() === "") return null;
  const places = value === segment.text ? wordStarts(segment) : [];
  const words = segment.words.filter(({ text }, at) => {
    const place = places[at];
    return place !== undefined && place < to && place + text.length > from;
  });
  return spanning(words[0] ?? segment, words.at(-1) ?? segment);
}

/**
 * The selection's rectangle in the window; null without a selection. A copy of the field's text is laid out beside the
 * field, for measuring (editor.tsx).
 */
export function selectedRect(): DOMRect | null {
  const area = typedField();
  const text = area?.nextElementSibling?.firstChild;
  if (area !== undefined && text) {
    const range = document.createRange();
    range.setStart(text, area.selectionStart);
    range.setEnd(text, area.selectionEnd);
    return range.getBoundingClientRect();
  }
  const selection = getSelection();
  return selection === null || selection.rangeCount === 0 ? null : selection.getRangeAt(0).getBoundingClientRect();
}

/** Removes the selection. */
export function dropSelection(): void {
  const area = typedField();
  area?.setSelectionRange(area.selectionEnd, area.selectionEnd);
  getSelection()?.removeAllRanges();
}

/**
 * The selected range of a transcript's text, from the first to the last word; null for nothing.
 * @param text contains the rows, each with its index (`data-index`), its texts in paragraphs, and its words with
 *   their start (`data-start`)
 */
function selectedIn(text: HTMLElement, segments: readonly Segment[]): TimeRange | null {
  const area = typedField();
  if (area !== undefined) return text.contains(area) ? selectedInField(area, segments) : null;
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  // A selection of the whole page (Ctrl+A) is not a passage.
  if (!text.contains(range.startContainer)) return null;
  const rows = [...text.querySelectorAll<HTMLElement>("[data-index]")].filter((row) =>
    [...row.querySelectorAll("p")].some((paragraph) => takes(range, paragraph)),
  );
  const [first, last] = [rows[0], rows.at(-1)].map((row) => row && selectedInRow(range, row, segments));
  return first === undefined || last === undefined ? null : spanning(first[0], last[1]);
}

/**
 * Whether the user is using the selection's tools. Then a touch or the focus may clear the browser's selection, which
 * must not clear ours.
 */
const isDealtWith = (): boolean => document.querySelector("[data-selection-tools]:is(:active, :focus-within)") !== null;

/**
 * Reports the selected range, at most once per animation frame. With a mouse, only after its release, because the tools
 * might cover words that are still to be selected.
 * @returns a function that removes the listeners
 */
export function listenToSelection(
  text: HTMLElement,
  segments: readonly Segment[],
  onSelect: (passage: TimeRange | null) => void,
): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let frame = 0;
  let isPressed = false;
  const look = () => {
    frame = 0;
    if (!isPressed && !isDealtWith()) onSelect(selectedIn(text, segments));
  };
  const hear = () => {
    if (frame === 0) frame = requestAnimationFrame(look);
  };
  const release = () => {
    if (!isPressed) return;
    isPressed = false;
    hear();
  };
  const press = ({ pointerType }: PointerEvent) => {
    isPressed = pointerType === "mouse";
  };
  text.addEventListener("pointerdown", press, { signal });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release, { signal });
  document.addEventListener("selectionchange", hear, { signal });
  return () => {
    cancelAnimationFrame(frame);
    listeners.abort();
  };
}
