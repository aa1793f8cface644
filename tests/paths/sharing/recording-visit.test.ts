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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const fetch = stage.asking<{ locked: boolean }>();
  const unseal = stage.asking<void, { passphrase: string | null }>();
  const fetchSound = stage.asking<void>();
  const wakeUps = stage.callback<RecordingVisitEvent>();
  const machine = recordingVisitMachine.provide({
    actors: { fetch: fetch.logic, unseal: unseal.logic, fetchSound: fetchSound.logic, wakeUps: wakeUps.logic },
    actions: { forget: () => {} },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    ...{ fetch, unseal, fetchSound, wakeUps },
  });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const fetching = ({ fetch }: Rig) => fetch;
const unsealing = ({ unseal }: Rig) => unseal;
const sounding = ({ fetchSound }: Rig) => fetchSound;

walkTests<Rig>({
  machine: recordingVisitMachine,
  prepare,
  moves: [
    sent({ type: "passphrase.entered", passphrase: "boats" }, "a passphrase is tried"),
    sent({ type: "passphrase.entered", passphrase: "" }, "nothing is tried"),
    sent({ type: "retry.requested" }),
    sent({ type: "sound.requested" }),
    sent({ type: "cancel.requested" }),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
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
  situation: (rig) => [snapshot(rig).context.failure, rig.unseal.open()[0]?.input],
  rules: {
    "one thing is shown": (rig) =>
      [
        selectIsRecordingOpening,
        selectIsRecordingLocked,
        selectIsRecordingGone,
        selectIsRecordingBroken,
        selectIsRecordingShown,
      ].filter((is) => is(snapshot(rig))).length +
        Number(selectRecordingFailure(snapshot(rig)) !== null) ===
      1,
    "one call at a time": (rig) => rig.fetch.open().length + rig.unseal.open().length + rig.fetchSound.open().length <= 1,
    "sound is fetched only where it is wanted": (rig) =>
      rig.fetchSound.open().length === (selectIsSoundFetched(snapshot(rig)) ? 1 : 0),
    "a passphrase goes along where one is asked for, and nowhere else": (rig) =>
      rig.unseal.open().every(({ input }) => (input?.passphrase !== null) === selectIsRecordingLocked(snapshot(rig))),
  },
});
