/** Replaces a part of the text. Positions count UTF-16 code units, as in a textarea. */
export interface TextEdit {
  from: number;
  to: number;
  text: string;
  /** The selection afterwards, relative to `from`. Absent: the cursor keeps its place in the text. */
  select?: readonly [number, number];
}

export type PostText = ReturnType<typeof createPostText>;

/** The new position of `at` after the edit. */
const moved = (at: number, { from, to, text }: TextEdit): number =>
  at <= from ? at : at >= to ? at + text.length - (to - from) : from + text.length;

/** Types the text as a user would: fires an input event, and the browser can undo it. */
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

/**
 * Edits the text through its field while that is mounted, so that the browser can undo the edit. Otherwise edits it
 * directly.
 * @param put stores the whole text when the field is missing or does not accept the edit
 */
export function createPostText(read: () => string, put: (text: string) => void) {
  let area: HTMLTextAreaElement | null = null;
  return {
    /** The ref of the field. */
    attach: (field: HTMLTextAreaElement | null) => {
      area = field;
      // Until the user chooses a position, text is appended.
      field?.setSelectionRange(field.value.length, field.value.length);
    },
    /** The selection or cursor; the end of the text without a field. */
    selection: (): readonly [number, number] =>
      area === null ? [read().length, read().length] : [area.selectionStart, area.selectionEnd],
    /**
     * @param think computes the edit from the text; null: no change
     * @returns whether the text changed
     */
    edit: (think: (text: string) => TextEdit | null) => {
      const text = read();
      const edit = think(text);
      if (edit === null) return false;
      const isSeen = area !== null && area.offsetParent !== null && area.value === text;
      if (!(area !== null && isSeen && type(area, edit))) put(text.slice(0, edit.from) + edit.text + text.slice(edit.to));
      return true;
    },
  };
}
