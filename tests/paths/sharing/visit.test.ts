import { createActor } from "xstate";
import {
  type Opening,
  selectIsBroken,
  selectIsGone,
  selectIsLocked,
  selectIsOpening,
  selectIsShown,
  selectIsSoundFetched,
  selectIsUnlocking,
  selectLoadFailure,
  type VisitEvent,
  visitMachine,
} from "#machines/sharing/visit.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const open = stubs.asking<{ locked: boolean }, Opening>();
  const fetchSound = stubs.asking<void>();
  const wakeUps = stubs.callback<VisitEvent>();
  const machine = visitMachine.provide({
    actors: { open: open.logic, fetchSound: fetchSound.logic, wakeUps: wakeUps.logic },
    actions: { forget: () => {} },
  });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), open, fetchSound, wakeUps });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const opening = ({ open }: Harness) => open;
const sounding = ({ fetchSound }: Harness) => fetchSound;

walkTests<Harness>({
  machine: visitMachine,
  prepare,
  moves: [
    sent({ type: "passphrase.entered", passphrase: "boats" }, "a passphrase is tried"),
    sent({ type: "passphrase.entered", passphrase: "" }, "nothing is tried"),
    sent({ type: "retry.requested" }),
    sent({ type: "access.lapsed" }),
    sent({ type: "sound.requested" }),
    sent({ type: "cancel.requested" }),
    answered("it is open", opening, () => ({ locked: false })),
    answered("a passphrase is asked for", opening, () => ({ locked: true })),
    refused("there is nothing", opening, failure("notFound")),
    refused("the address is cut off", opening, failure("noKey")),
    refused("the passphrase is wrong", opening, failure("wrongPassword")),
    refused("it decrypts nothing", opening, failure("wrongPassphrase")),
    refused("what it holds is no link's", opening, failure("tampered")),
    refused("there is no answer", opening, failure("network")),
    answered("the sound is there", sounding, () => undefined),
    refused("the link was revoked meanwhile", sounding, failure("notFound")),
    refused("the sound does not come", sounding, failure("network")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
  ],
  situation: (harness) => [snapshot(harness).context.failure, harness.open.open()[0]?.input],
  rules: {
    "one call at a time": ({ open, fetchSound }) => open.open().length + fetchSound.open().length <= 1,
    "one thing is shown": (harness) =>
      [selectIsOpening, selectIsLocked, selectIsGone, selectIsBroken, selectIsShown].filter((is) => is(snapshot(harness)))
        .length +
        Number(selectLoadFailure(snapshot(harness)) !== null) ===
      1,
    "sound is fetched only where it is wanted": (harness) =>
      harness.fetchSound.open().length === (selectIsSoundFetched(snapshot(harness)) ? 1 : 0),
    "a passphrase goes along where one is tried, and nowhere else": (harness) =>
      harness.open.open().every(({ input }) => (input?.passphrase !== undefined) === selectIsUnlocking(snapshot(harness))),
    "what is gone is left alone": (harness) => !selectIsGone(snapshot(harness)) || harness.open.open().length === 0,
  },
});
