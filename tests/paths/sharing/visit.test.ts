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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
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

function prepare(stubs: Stubs) {
  const open = stubs.asking<SharedAnswer, Opening>();
  const wakeUps = stubs.callback<VisitEvent>();
  const machine = visitMachine.provide({ actors: { open: open.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), open, wakeUps });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const shown: SharedAnswer = { locked: false, transcript };
const locked: SharedAnswer = { locked: true };

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const opening = ({ open }: Harness) => open;

walkTests<Harness>({
  machine: visitMachine,
  prepare,
  moves: [
    sent({ type: "passphrase.entered", passphrase: "boats" }, "a passphrase is tried"),
    sent({ type: "passphrase.entered", passphrase: "" }, "nothing is tried"),
    sent({ type: "retry.requested" }),
    sent({ type: "access.lapsed" }),
    answered<Harness, SharedAnswer, Opening>("it is open", opening, () => shown),
    answered<Harness, SharedAnswer, Opening>("a passphrase is asked for", opening, () => locked),
    refused("there is nothing", opening, failure("notFound")),
    refused("the passphrase is wrong", opening, failure("wrongPassword")),
    refused("there is no answer", opening, failure("network")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
  ],
  situation: (harness) => [
    snapshot(harness).context.transcript !== null,
    snapshot(harness).context.failure,
    harness.open.open()[0]?.input,
  ],
  rules: {
    "one call at a time": ({ open }) => open.open().length <= 1,
    "one thing is shown": (harness) =>
      [selectIsOpening, selectIsLocked, selectIsGone].filter((is) => is(snapshot(harness))).length +
        Number(selectShown(snapshot(harness)) !== null) +
        Number(selectLoadFailure(snapshot(harness)) !== null) ===
      1,
    "nothing is kept of what is locked or gone": (harness) =>
      !(selectIsGone(snapshot(harness)) || selectIsLocked(snapshot(harness))) || snapshot(harness).context.transcript === null,
    "a passphrase goes along where one is tried, and nowhere else": (harness) =>
      harness.open.open().every(({ input }) => (input?.passphrase !== undefined) === selectIsUnlocking(snapshot(harness))),
    "what is gone is left alone": (harness) => !selectIsGone(snapshot(harness)) || harness.open.open().length === 0,
  },
});
