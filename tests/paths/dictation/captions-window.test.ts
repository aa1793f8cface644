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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const openWindow = stage.asking<void>();
  const window = stage.callback<CaptionsWindowEvent, EventObject>();
  const machine = captionsWindowMachine.provide({
    actors: { openWindow: openWindow.logic, window: window.logic },
    actions: { storeLook: () => {} },
  });
  const input = { look: { size: largest - 1, isHighContrast: false } };
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect, input }), openWindow, window });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const opening = ({ openWindow }: Rig) => openWindow;

walkTests<Rig>({
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
    said({ type: "window.closed" }, ({ window }: Rig) => window),
  ],
  situation: (rig) => {
    const { failure: why, look } = snapshot(rig).context;
    return [why, look.size, look.isHighContrast];
  },
  rules: {
    "a window is asked for once at a time, and only while it is wanted": (rig) =>
      rig.openWindow.open().length <= (selectIsWanted(snapshot(rig)) ? 1 : 0),
    "a window is held exactly while the captions are in it": (rig) =>
      rig.window.running() === (selectIsFloating(snapshot(rig)) ? 1 : 0),
    "they are in one place at a time": (rig) => !(selectIsFloating(snapshot(rig)) && selectIsOverPage(snapshot(rig))),
    "letters have a size that there is": (rig) => selectLook(snapshot(rig)).size <= largest,
  },
});
