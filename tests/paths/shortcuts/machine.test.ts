import { createActor, fromCallback } from "xstate";
import type { ShortcutDialog } from "#machines/shortcuts/events.ts";
import { selectDialog, shortcutsMachine } from "#machines/shortcuts/machine.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const load = stubs.asking<void, ShortcutDialog>();
  return ({ clock, inspect }: RunOptions) => {
    let hears = 0;
    const keys = fromCallback(() => {
      hears += 1;
      return () => {
        hears -= 1;
      };
    });
    let heldBack = 0;
    const typing = fromCallback(() => {
      heldBack += 1;
      return () => {
        heldBack -= 1;
      };
    });
    const machine = shortcutsMachine.provide({ actors: { keys, typing, load: load.logic } });
    return { actor: createActor(machine, { clock, inspect }), load, hears: () => hears, heldBack: () => heldBack };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const loading = ({ load }: Harness) => load;
const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: shortcutsMachine,
  prepare,
  moves: [
    sent({ type: "key.struck", action: "upload" }),
    sent({ type: "action.owed", action: "record" }),
    sent({ type: "actions.offered", actions: ["record"] }, "the page can do it"),
    sent({ type: "actions.offered", actions: ["undo"] }, "the page can do something else"),
    sent({ type: "dialog.requested", dialog: "search" }),
    sent({ type: "text.typed", text: "r" }),
    sent({ type: "dialog.closed" }),
    answered("the dialog is loaded", loading, () => undefined),
    refused("the dialog can't be loaded", loading, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [selectDialog(snapshot(harness))],
  rules: {
    "keys are heard unless a dialog is open or loading": (harness) =>
      harness.hears() === (snapshot(harness).matches("listening") ? 1 : 0),
    "what is typed goes to the dialog that was asked for": (harness) => harness.heldBack() + harness.hears() === 1,
    "one dialog is loaded at a time": ({ load }) => load.open().length <= 1,
  },
});
