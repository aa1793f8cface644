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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: passphraseMachine,
  prepare,
  moves: [
    sent<PassphraseEvent>({ type: "form.opened" }),
    sent<PassphraseEvent>({ type: "fields.changed", strength: 0, isSame: false }, "a short one is typed"),
    sent<PassphraseEvent>({ type: "fields.changed", strength: 2, isSame: false }, "a long one is typed"),
    sent<PassphraseEvent>({ type: "fields.changed", strength: 2, isSame: true }, "it is typed again"),
    sent<PassphraseEvent>({ type: "submit.requested" }),
  ],
  situation: (harness) => snapshot(harness).context,
  rules: {
    "nothing is wrong before the first attempt": (harness) =>
      !snapshot(harness).matches("unchecked") || !(selectIsWeak(snapshot(harness)) || selectIsDifferent(snapshot(harness))),
    "after it, what is wrong is said as it is typed": (harness) =>
      !snapshot(harness).matches("checked") || selectIsWeak(snapshot(harness)) === (selectStrength(snapshot(harness)) === 0),
  },
  isLocal: "the form is in the page",
  simple: true,
});
