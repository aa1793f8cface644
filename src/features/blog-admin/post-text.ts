/** A part of the text gives way to another. Positions are in UTF-16 units, as a textarea counts. */
export interface TextEdit {
  from: number;
  to: number;
  text: string;
  /** What is selected afterwards, counted from `from`; absent: the cursor stays with what it was in. */
  select?: readonly [number, number];
}

/** The text as it is edited: in its field while that can be seen, so that the browser can undo it; else by itself. */
export interface PostText {
  /** The ref of the field. */
  attach(area: HTMLTextAreaElement | null): void;
  /** What is selected, or where the cursor is; the text's end where there is no field. */
  selection(): readonly [number, number];
  /** @param think is told the text as it is; null: nothing is done @returns whether something was done */
  edit(think: (text: string) => TextEdit | null): boolean;
}

/** Where the cursor is once `edit` has been made before or around it. */
const moved = (at: number, { from, to, text }: TextEdit): number =>
  at <= from ? at : at >= to ? at + text.length - (to - from) : from + text.length;

/** As if it had been typed: the browser tells the field's listener, and can undo it. */
function type(area: HTMLTextAreaElement, edit: TextEdit): boolean {
  const before = document.activeElement;
  const { selectionStart, selectionEnd, scrollTop } = area;
  area.focus({ preventScroll: true });
  area.setSelectionRange(edit.from, edit.to);
  const done = edit.text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, edit.text);
  const [start, end] = edit.select ?? [moved(selectionStart, edit) - edit.from, moved(selectionEnd, edit) - edit.from];
  if (done) area.setSelectionRange(edit.from + start, edit.from + end);
  else area.setSelectionRange(selectionStart, selectionEnd);
  area.scrollTop = scrollTop;
  if (edit.select === undefined && before instanceof HTMLElement && before !== area) before.focus({ preventScroll: true });
  return done;
}

/** @param put takes the whole text, where the field is not there or does not take it */
export function createPostText(read: () => string, put: (text: string) => void): PostText {
  let area: HTMLTextAreaElement | null = null;
  return {
    attach: (field) => {
      area = field;
      // Whoever has not chosen a place goes on at the end.
      field?.setSelectionRange(field.value.length, field.value.length);
    },
    selection: () => (area === null ? [read().length, read().length] : [area.selectionStart, area.selectionEnd]),
    edit: (think) => {
      const text = read();
      const edit = think(text);
      if (edit === null) return false;
      const isSeen = area !== null && area.offsetParent !== null && area.value === text;
      if (!(area !== null && isSeen && type(area, edit))) put(text.slice(0, edit.from) + edit.text + text.slice(edit.to));
      return true;
    },
  };
}
