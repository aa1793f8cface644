import type { KeyboardEvent, MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { noteColours, quoteAt, type Segment, type TimeRange, vocabularyLimits } from "#contract/index.ts";
import { newId } from "#src/browser/new-id.ts";
import { toast } from "#src/browser/toasts.ts";
import { expectWord } from "#src/features/vocabulary/actor.ts";
import { buttonClass, IconButton } from "#src/ui/button.tsx";
import type { Notes } from "./actor.ts";
import { beginNote } from "./begin.ts";
import styles from "./notes.module.css";
import marks from "./notes-marks.module.css";
import { useReturn } from "./returning.ts";
import { dropSelection, selectedRect } from "./selection.ts";

interface SelectionToolsProps {
  notes: Notes;
  segments: readonly Segment[];
  selected: TimeRange;
  /** Plays from this second; undefined without audio. */
  play: ((seconds: number) => void) | undefined;
  onReturn(seconds: number): void;
}

/** Keeps the selection when the user presses a button with the mouse. */
const keepSelection = (event: MouseEvent) => event.preventDefault();

/** Distance between the selection and its tools in px. With a finger, the selection's handles need room below it. */
const gap = { mouse: 8, finger: 36 };

/** Places the tools above the selection; below it without room, or if a phone shows its own menu above. */
function place(tools: HTMLElement): void {
  const [frame, rect] = [tools.offsetParent?.getBoundingClientRect(), selectedRect()];
  if (frame === undefined || rect === null) return;
  const { offsetWidth: width, offsetHeight: height } = tools;
  const byFinger = matchMedia("(pointer: coarse)").matches;
  const edge = (name: string) => document.querySelector(`[data-covers-${name}]`)?.getBoundingClientRect();
  const [top, bottom] = [edge("top")?.bottom ?? 0, edge("bottom")?.top ?? innerHeight];
  const above = rect.top - height - gap.mouse;
  const below = Math.min(rect.bottom + (byFinger ? gap.finger : gap.mouse), Math.min(bottom, innerHeight) - height - gap.mouse);
  const x = Math.max(frame.left, Math.min(rect.left + rect.width / 2 - width / 2, frame.right - width));
  const y = byFinger || above < top ? below : above;
  tools.style.translate = `${Math.round(x - frame.left)}px ${Math.round(y - frame.top)}px`;
}

/** Makes Tab move from the selected text to its tools. @returns a function that ends it */
function followTab(tools: HTMLElement): () => void {
  const listener = new AbortController();
  const enter = (event: globalThis.KeyboardEvent) => {
    const { activeElement: active } = document;
    // From a control, Tab moves to the next one as usual.
    const isInText =
      active === null || active instanceof HTMLTextAreaElement || (active instanceof HTMLElement && active.tabIndex < 0);
    if (event.key !== "Tab" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || !isInText) return;
    event.preventDefault();
    tools.querySelector("button")?.focus({ preventScroll: true });
  };
  document.addEventListener("keydown", enter, { signal: listener.signal });
  return () => listener.abort();
}

/** The selected words without surrounding punctuation. */
const termOf = (segments: readonly Segment[], selected: TimeRange): string =>
  quoteAt(segments, selected).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");

async function expectTerm(term: string): Promise<void> {
  const isSaved = await expectWord(term);
  toast(isSaved ? { kind: "success", key: "notes:expected", values: { term } } : { kind: "error", key: "notes:notExpected" });
}

/** Makes the arrow keys move between the tools (ARIA Authoring Practices: toolbar). */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.findIndex((button) => button.matches(":focus"));
  if (step === undefined || at < 0) return;
  event.preventDefault();
  all.at((at + step) % all.length)?.focus();
}

/** Tools beside the selection: highlight it, write a note, add its words to the vocabulary, and play it. */
export function SelectionTools({ notes, segments, selected, play, onReturn }: SelectionToolsProps) {
  const { t } = useTranslation("notes");
  const { ref: returning, onFocus } = useReturn(onReturn);
  // Not memoized, because each selection has another place.
  const ref = (tools: HTMLElement | null) => {
    if (tools === null) return undefined;
    place(tools);
    const [giveBack, leaveTab] = [returning(tools), followTab(tools)];
    return () => {
      giveBack?.();
      leaveTab();
    };
  };
  const leave = () => {
    dropSelection();
    notes.send({ type: "passage.selected", passage: null });
  };
  const term = termOf(segments, selected);
  return (
    <div
      ref={ref}
      className={styles.tools}
      role="toolbar"
      aria-label={t("choices")}
      data-selection-tools
      data-from={selected.start}
      onFocus={onFocus}
      onMouseDown={keepSelection}
      onKeyDown={(event) => (event.key === "Escape" ? leave() : moveFocus(event))}
    >
      {noteColours.map((colour) => (
        <button
          key={colour}
          type="button"
          className={buttonClass("quiet", true)}
          aria-label={t("highlight", { colour: t(`colours.${colour}`) })}
          title={t("highlight", { colour: t(`colours.${colour}`) })}
          onClick={() => {
            dropSelection();
            notes.send({ type: "highlight.requested", id: newId(), colour });
          }}
        >
          <span className={marks.swatch} data-note={colour} />
        </button>
      ))}
      <IconButton icon="feedback" label={t("write")} onClick={() => beginNote(notes, selected)} />
      {term === "" || term.length > vocabularyLimits.lineCharacters ? null : (
        <IconButton
          icon="book"
          label={t("expect")}
          onClick={() => {
            leave();
            void expectTerm(term);
          }}
        />
      )}
      {play === undefined ? null : <IconButton icon="play" label={t("play")} onClick={() => play(selected.start)} />}
    </div>
  );
}
