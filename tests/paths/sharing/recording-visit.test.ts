import { createActor } from "xstate";
import {
  type RecordingVisitEvent,
  recordingVisitMachine,
  selectIsRecordingBroken,
  selectIsRecordingGone,
  selectIsRecordingLocked,
  selectIsRecordingOpening,
  selectIsRecordingShown,
  selectIsSoundFetched,
  selectRecordingFailure,
} from "#machines/sharing/recording-visit.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const fetch = stubs.asking<{ locked: boolean }>();
  const unseal = stubs.asking<void, { passphrase: string | null }>();
  const fetchSound = stubs.asking<void>();
  const wakeUps = stubs.callback<RecordingVisitEvent>();
  const machine = recordingVisitMachine.provide({
    actors: { fetch: fetch.logic, unseal: unseal.logic, fetchSound: fetchSound.logic, wakeUps: wakeUps.logic },
    actions: { forget: () => {} },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    ...{ fetch, unseal, fetchSound, wakeUps },
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const fetching = ({ fetch }: Harness) => fetch;
const unsealing = ({ unseal }: Harness) => unseal;
const sounding = ({ fetchSound }: Harness) => fetchSound;

walkTests<Harness>({
  machine: recordingVisitMachine,
  prepare,
  moves: [
    sent({ type: "passphrase.entered", passphrase: "boats" }, "a passphrase is tried"),
    sent({ type: "passphrase.entered", passphrase: "" }, "nothing is tried"),
    sent({ type: "retry.requested" }),
    sent({ type: "sound.requested" }),
    sent({ type: "cancel.requested" }),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    answered("it takes no passphrase", fetching, () => ({ locked: false })),
    answered("it takes a passphrase", fetching, () => ({ locked: true })),
    refused("there is nothing", fetching, failure("notFound")),
    refused("the address is cut off", fetching, failure("noKey")),
    refused("there is no answer", fetching, failure("network")),
    answered("it opens", unsealing, () => undefined),
    refused("it does not open", unsealing, failure("wrongPassphrase")),
    refused("what it holds is no link's", unsealing, failure("tampered")),
    refused("the worker fails", unsealing, failure("internal")),
    answered("the sound is there", sounding, () => undefined),
    refused("the link was revoked meanwhile", sounding, failure("notFound")),
    refused("the sound does not come", sounding, failure("network")),
  ],
  situation: (harness) => [snapshot(harness).context.failure, harness.unseal.open()[0]?.input],
  rules: {
    "one thing is shown": (harness) =>
      [
        selectIsRecordingOpening,
        selectIsRecordingLocked,
        selectIsRecordingGone,
        selectIsRecordingBroken,
        selectIsRecordingShown,
      ].filter((is) => is(snapshot(harness))).length +
        Number(selectRecordingFailure(snapshot(harness)) !== null) ===
      1,
    "one call at a time": (harness) =>
      harness.fetch.open().length + harness.unseal.open().length + harness.fetchSound.open().length <= 1,
    "sound is fetched only where it is wanted": (harness) =>
      harness.fetchSound.open().length === (selectIsSoundFetched(snapshot(harness)) ? 1 : 0),
    "a passphrase goes along where one is asked for, and nowhere else": (harness) =>
      harness.unseal.open().every(({ input }) => (input?.passphrase !== null) === selectIsRecordingLocked(snapshot(harness))),
  },
});
