import { assign, type SnapshotFrom, setup } from "xstate";
import { withEvent } from "#machines/with-event.ts";

/** The strength of a passphrase: 0 is refused, 3 is best. */
export type Strength = 0 | 1 | 2 | 3;

/** Sent by the form, which stores the input. */
export type PassphraseEvent =
  /** A form is shown with empty fields. */
  | { type: "form.opened" }
  /** `isSame`: both inputs are equal. */
  | { type: "fields.changed"; strength: Strength; isSame: boolean }
  | { type: "submit.requested" };

interface PassphraseContext {
  strength: Strength;
  isSame: boolean;
}

const empty: PassphraseContext = { strength: 0, isSame: true };

/**
 * The form for a new passphrase, entered twice. It shows flaws from the first attempt on. The passphrase stays in the
 * form.
 */
export const passphraseMachine = setup({
  types: { context: {} as PassphraseContext, events: {} as PassphraseEvent },
  actions: {
    assignFields: assign((_, { strength, isSame }: PassphraseContext) => ({ strength, isSame })),
    clearFields: assign(empty),
  },
}).createMachine({
  id: "passphrase",
  context: empty,
  on: {
    "form.opened": { target: ".unchecked", actions: "clearFields" },
    "fields.changed": { actions: withEvent("assignFields") },
  },
  initial: "unchecked",
  states: {
    unchecked: { on: { "submit.requested": "checked" } },
    checked: {},
  },
});

type Snapshot = SnapshotFrom<typeof passphraseMachine>;

export const selectStrength = (snapshot: Snapshot): Strength => snapshot.context.strength;
export const selectIsWeak = (snapshot: Snapshot): boolean => snapshot.matches("checked") && snapshot.context.strength === 0;
export const selectIsDifferent = (snapshot: Snapshot): boolean => snapshot.matches("checked") && !snapshot.context.isSame;
