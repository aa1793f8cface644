import { createActor } from "xstate";
import type { EnginesAnswer } from "#contract/index.ts";
import type { Side } from "#machines/translator/events.ts";
import type { FaceToFaceActor } from "#machines/translator/face-to-face.ts";
import { type PushToTalkEvent, pushToTalkMachine } from "#machines/translator/push-to-talk.ts";
import {
  selectCanSpeak,
  selectIsBusy,
  selectIsUnderWay,
  selectSide,
  type TranslatorActor,
} from "#machines/translator/selectors.ts";
import type { Speaker } from "#src/audio/speaker.ts";
import { inspected } from "#src/browser/inspection.ts";
import type { ChoicesStore } from "./choices.ts";
import { speechCode } from "./side-languages.ts";

/** The parts of the translator that start a turn. */
interface Speaking {
  actor: TranslatorActor;
  speaker: Pick<Speaker, "unlock">;
  choices: ChoicesStore;
  engines: EnginesAnswer;
}

/** Elements that handle the space bar or Escape themselves. */
const busyWithSpace = "input, textarea, select, button:not([data-speak]), a, summary, dialog, [role=listbox], [contenteditable]";
const busyWithEscape = "input, textarea, dialog, details[open]";

/** The side with the keyboard focus, or else the last speaker's. */
function sideOf(target: Element | null, actor: TranslatorActor): Side {
  const named = target?.closest<HTMLElement>("[data-side]")?.dataset.side;
  return named === undefined ? selectSide(actor.getSnapshot()) : named === "1" ? 1 : 0;
}

/** Starts a side's turn if its language can be spoken. */
export function beginToSpeak({ actor, speaker, choices, engines }: Speaking, side: Side): void {
  if (speechCode(engines, choices.get().sides[side]) === null || !selectCanSpeak(actor.getSnapshot())) return;
  speaker.unlock();
  actor.send({ type: "speak.requested", side });
}

/** The page's push-to-talk key. */
export interface PushToTalk {
  /** The ref of the page's element. Keys are handled while the element is mounted. */
  listen(page: HTMLElement | null): (() => void) | undefined;
  stop(): void;
}

/** Starts the actor. The caller stops it. */
export function createPushToTalk(translator: Speaking, faceToFace: FaceToFaceActor): PushToTalk {
  const { actor } = translator;
  const machine = pushToTalkMachine.provide({
    actions: {
      begin: (_, { side }) => beginToSpeak(translator, side),
      stop: () => actor.send({ type: "stop.requested" }),
      closeFaceToFace: () => faceToFace.send({ type: "close.requested" }),
    },
    guards: {
      isUnderWay: () => selectIsUnderWay(actor.getSnapshot()),
      isBusy: () => selectIsBusy(actor.getSnapshot()),
    },
  });
  const keys = createActor(machine, inspected()).start();
  return { listen: (page) => (page === null ? undefined : followKeys(actor, keys.send)), stop: () => keys.stop() };
}

/** @returns a function that stops handling keys */
function followKeys(actor: TranslatorActor, send: (event: PushToTalkEvent) => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = elementOf(event);
    if (event.key === "Escape" && !target?.closest(busyWithEscape)) send({ type: "escape.pressed" });
    if (event.key !== " " || target?.closest(busyWithSpace)) return;
    event.preventDefault();
    if (!event.repeat) send({ type: "space.pressed", side: sideOf(target, actor), at: event.timeStamp });
  };
  const release = (event: KeyboardEvent) => {
    if (event.key !== " " || elementOf(event)?.closest(busyWithSpace)) return;
    // Otherwise releasing the space bar, which ended the recording, would also press the focused button.
    event.preventDefault();
    send({ type: "space.released", at: event.timeStamp });
  };
  document.addEventListener("keydown", press, { signal });
  document.addEventListener("keyup", release, { signal });
  addEventListener("blur", () => send({ type: "focus.lost" }), { signal });
  return () => {
    stop.abort();
    send({ type: "focus.lost" });
  };
}

const elementOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null);
