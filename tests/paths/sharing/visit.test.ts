import { createActor } from "xstate";
import type { SharedAnswer, SharedTranscript } from "#contract/index.ts";
import {
  type Opening,
  selectIsGone,
  selectIsLocked,
  selectIsOpening,
  selectIsUnlocking,
  selectLoadFailure,
  selectShown,
  visitMachine,
} from "#machines/sharing/visit.ts";
import type { VisitEvent } from "#machines/sharing/visit-events.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const transcript: SharedTranscript = {
  title: "The harbour",
  date: "2026-03-01T10:00:00.000Z",
  sharedBy: "",
  sourceLanguage: "en",
  targetLanguage: null,
  durationSeconds: null,
  hasAudio: true,
  download: false,
  expiresAt: null,
  text: "one",
  translatedText: "",
  segments: [],
};

function prepare(stage: Stage) {
  const open = stage.asking<SharedAnswer, Opening>();
  const wakeUps = stage.callback<VisitEvent>();
  const machine = visitMachine.provide({ actors: { open: open.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), open, wakeUps });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const shown: SharedAnswer = { locked: false, transcript };
const locked: SharedAnswer = { locked: true };

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const opening = ({ open }: Rig) => open;

walkTests<Rig>({
  machine: visitMachine,
  prepare,
  moves: [
    sent({ type: "passphrase.entered", passphrase: "boats" }, "a passphrase is tried"),
    sent({ type: "passphrase.entered", passphrase: "" }, "nothing is tried"),
    sent({ type: "retry.requested" }),
    sent({ type: "access.lapsed" }),
    answered<Rig, SharedAnswer, Opening>("it is open", opening, () => shown),
    answered<Rig, SharedAnswer, Opening>("a passphrase is asked for", opening, () => locked),
    refused("there is nothing", opening, failure("notFound")),
    refused("the passphrase is wrong", opening, failure("wrongPassword")),
    refused("there is no answer", opening, failure("network")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
  ],
  situation: (rig) => [snapshot(rig).context.transcript !== null, snapshot(rig).context.failure, rig.open.open()[0]?.input],
  rules: {
    "one call at a time": ({ open }) => open.open().length <= 1,
    "one thing is shown": (rig) =>
      [selectIsOpening, selectIsLocked, selectIsGone].filter((is) => is(snapshot(rig))).length +
        Number(selectShown(snapshot(rig)) !== null) +
        Number(selectLoadFailure(snapshot(rig)) !== null) ===
      1,
    "nothing is kept of what is locked or gone": (rig) =>
      !(selectIsGone(snapshot(rig)) || selectIsLocked(snapshot(rig))) || snapshot(rig).context.transcript === null,
    "a passphrase goes along where one is tried, and nowhere else": (rig) =>
      rig.open.open().every(({ input }) => (input?.passphrase !== undefined) === selectIsUnlocking(snapshot(rig))),
    "what is gone is left alone": (rig) => !selectIsGone(snapshot(rig)) || rig.open.open().length === 0,
  },
});
