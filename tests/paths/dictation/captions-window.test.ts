import { createActor, type EventObject } from "xstate";
import {
  type CaptionsWindowEvent,
  captionsWindowMachine,
  largest,
  selectIsFloating,
  selectIsOverPage,
  selectIsWanted,
  selectLook,
} from "#machines/dictation/captions-window/machine.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const openWindow = stubs.asking<void>();
  const window = stubs.callback<CaptionsWindowEvent, EventObject>();
  const machine = captionsWindowMachine.provide({
    actors: { openWindow: openWindow.logic, window: window.logic },
    actions: { storeLook: () => {} },
  });
  const input = { look: { size: largest - 1, isHighContrast: false } };
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect, input }), openWindow, window });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const opening = ({ openWindow }: Harness) => openWindow;

walkTests<Harness>({
  machine: captionsWindowMachine,
  isLocal: "The window is the browser's own: it opens without a network.",
  prepare,
  moves: [
    sent({ type: "open.requested" }),
    sent({ type: "close.requested" }),
    sent({ type: "size.stepped", steps: 1 }),
    sent({ type: "contrast.toggled" }),
    answered("the window opens", opening, () => undefined),
    refused("the browser opens none", opening, failure("NotAllowedError")),
    refused("the browser has none", opening, failure("unsupported")),
    said({ type: "window.closed" }, ({ window }: Harness) => window),
  ],
  situation: (harness) => {
    const { failure: why, look } = snapshot(harness).context;
    return [why, look.size, look.isHighContrast];
  },
  rules: {
    "a window is asked for once at a time, and only while it is wanted": (harness) =>
      harness.openWindow.open().length <= (selectIsWanted(snapshot(harness)) ? 1 : 0),
    "a window is held exactly while the captions are in it": (harness) =>
      harness.window.running() === (selectIsFloating(snapshot(harness)) ? 1 : 0),
    "they are in one place at a time": (harness) => !(selectIsFloating(snapshot(harness)) && selectIsOverPage(snapshot(harness))),
    "letters have a size that there is": (harness) => selectLook(snapshot(harness)).size <= largest,
  },
});
