import { createActor } from "xstate";
import {
  type PassphraseEvent,
  passphraseMachine,
  selectIsDifferent,
  selectIsWeak,
  selectStrength,
} from "#machines/vault/passphrase.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const prepare =
  () =>
  ({ clock, inspect }: RunOptions) => ({ actor: createActor(passphraseMachine, { clock, inspect }) });
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: passphraseMachine,
  prepare,
  moves: [
    sent<PassphraseEvent>({ type: "form.opened" }),
    sent<PassphraseEvent>({ type: "fields.changed", strength: 0, isSame: false }, "a short one is typed"),
    sent<PassphraseEvent>({ type: "fields.changed", strength: 2, isSame: false }, "a long one is typed"),
    sent<PassphraseEvent>({ type: "fields.changed", strength: 2, isSame: true }, "it is typed again"),
    sent<PassphraseEvent>({ type: "submit.requested" }),
  ],
  situation: (rig) => snapshot(rig).context,
  rules: {
    "nothing is wrong before the first attempt": (rig) =>
      !snapshot(rig).matches("unchecked") || !(selectIsWeak(snapshot(rig)) || selectIsDifferent(snapshot(rig))),
    "after it, what is wrong is said as it is typed": (rig) =>
      !snapshot(rig).matches("checked") || selectIsWeak(snapshot(rig)) === (selectStrength(snapshot(rig)) === 0),
  },
  isLocal: "the form is in the page",
  simple: true,
});
