import type { Side } from "#machines/translator/events.ts";
import { selectCanSpeak, selectIsBusy, selectIsUnderWay, selectSide } from "#machines/translator/selectors.ts";
import type { Translator } from "./actor.ts";
import { speechCode } from "./side-languages.ts";

/** Below this duration (ms) a key press toggles: the first starts, the second stops. */
const pressMs = 400;
/** Elements that use the space bar, or Escape, themselves. */
const busyWithSpace = "input, textarea, select, button:not([data-speak]), a, summary, dialog, [role=listbox], [contenteditable]";
const busyWithEscape = "input, textarea, dialog, details[open]";

/** The side with the keyboard focus; else the one that spoke last. */
function sideOf(target: Element | null, { actor }: Translator): Side {
  const named = target?.closest<HTMLElement>("[data-side]")?.dataset.side;
  return named === undefined ? selectSide(actor.getSnapshot()) : named === "1" ? 1 : 0;
}

/** Starts a side's turn, if its language can be spoken. */
export function beginToSpeak({ actor, speaker, choices, engines }: Translator, side: Side): void {
  if (speechCode(engines, choices.get().sides[side]) === null || !selectCanSpeak(actor.getSnapshot())) return;
  speaker.unlock();
  actor.send({ type: "speak.requested", side });
}

/**
 * Holding the space bar records, unless the focused element needs it; Escape ends what is recorded or played, else the view face to face.
 * @returns the ref of the page's element
 */
export function pushToTalk(translator: Translator) {
  const { actor, faceToFace } = translator;
  return (page: HTMLElement | null) => {
    if (page === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let heldSince: number | null = null;
    const end = () => {
      heldSince = null;
      actor.send({ type: "stop.requested" });
    };
    const press = (event: KeyboardEvent) => {
      event.preventDefault();
      if (event.repeat) return;
      if (selectIsUnderWay(actor.getSnapshot())) return end();
      heldSince = event.timeStamp;
      beginToSpeak(translator, sideOf(elementOf(event), translator));
    };
    const leave = () => (selectIsBusy(actor.getSnapshot()) ? end() : faceToFace.send({ type: "close.requested" }));
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      const target = elementOf(event);
      if (event.key === "Escape" && !target?.closest(busyWithEscape)) leave();
      else if (event.key === " " && !target?.closest(busyWithSpace)) press(event);
    };
    const release = (event: KeyboardEvent) => {
      if (event.key !== " " || elementOf(event)?.closest(busyWithSpace)) return;
      // Releasing the space bar would press a button: that release ended the recording.
      event.preventDefault();
      if (heldSince !== null && event.timeStamp - heldSince >= pressMs) end();
      heldSince = null;
    };
    document.addEventListener("keydown", hear, { signal });
    document.addEventListener("keyup", release, { signal });
    addEventListener("blur", () => heldSince !== null && end(), { signal });
    return () => stop.abort();
  };
}

const elementOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null);
