import { createActor, type EventObject } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { UploadEvent, UploadFile, UploadOptions } from "#machines/uploads/events.ts";
import { type UnfinishedUpload, type UploadsEvent, uploadsMachine } from "#machines/uploads/machine.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";
import { options, summary } from "#tests/machines/uploads/rig.ts";
import { answer, answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const most = 3;

function prepare(stage: Stage) {
  const checkFile = stage.asking<void, UploadFile>();
  const transfer = stage.asking<TranscriptionSummary, { file: UploadFile; options: UploadOptions }>();
  const ask = stage.asking<TranscriptionSummary, { id: string }>();
  const quiet = stage.callback<UploadEvent>();
  const updates = stage.callback<UploadEvent, UploadEvent, { id: string }>();
  const recall = stage.asking<readonly UnfinishedUpload[], { userId: string }>();
  const holdPage = stage.callback<UploadsEvent, EventObject>();
  const upload = uploadMachine.provide({
    actors: {
      checkFile: checkFile.logic,
      transfer: transfer.logic,
      ask: ask.logic,
      updates: updates.logic,
      wakeUps: quiet.logic,
      signIn: quiet.logic,
    },
  });
  const machine = uploadsMachine.provide({ actors: { upload, holdPage: holdPage.logic, recall: recall.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    let added = 0;
    const removed: string[] = [];
    actor.on("upload.removed", ({ id }) => removed.push(id));
    const next = (): UploadFile => {
      added += 1;
      return { id: `f${added}`, name: "talk.wav", size: 10 };
    };
    return { actor, checkFile, transfer, ask, recall, holdPage, removed, next, added: () => added };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;

const add: Move<Rig> = {
  name: "a file is added",
  may: (rig) => context(rig).uploads.length < most,
  happen: (rig) => rig.actor.send({ type: "files.added", files: [rig.next()], options, maxBytes: 100 }),
};

const dismiss = (which: 0 | -1): Move<Rig> => ({
  name: which === 0 ? "the first is dismissed" : "the last is dismissed",
  may: (rig) => context(rig).uploads.length > 0,
  happen: (rig) => rig.actor.send({ type: "dismiss.requested", id: context(rig).uploads.at(which)?.id ?? "" }),
});

walkTests<Rig>({
  machine: uploadsMachine,
  prepare,
  moves: [
    add,
    dismiss(0),
    dismiss(-1),
    sent({ type: "user.changed", userId: "ada" }, "ada signs in"),
    sent({ type: "user.changed", userId: "eve" }, "eve signs in"),
    answered(
      "nothing was begun before",
      ({ recall }: Rig) => recall,
      () => [],
    ),
    refused("the browser keeps nothing", ({ recall }: Rig) => recall, failure("internal")),
    answered(
      "a file can be read",
      ({ checkFile }: Rig) => checkFile,
      () => undefined,
    ),
    answered(
      "a file has arrived",
      ({ transfer }: Rig) => transfer,
      () => summary(),
    ),
    refused("a file is refused", ({ transfer }: Rig) => transfer, answer(400, "badRequest")),
  ],
  isLocal: "each upload meets the network by itself (upload.test.ts)",
  situation: (rig) => {
    const { userId, uploads, waiting, sending } = context(rig);
    return [userId, uploads.map((upload) => upload.getSnapshot().value), waiting.length, sending.length];
  },
  rules: {
    "two files are sent at a time, not more": ({ transfer }) => transfer.open().length <= 2,
    "who has a slot is sent": (rig) => context(rig).sending.length === rig.transfer.open().length,
    "nobody waits while there is room": (rig) => context(rig).waiting.length === 0 || context(rig).sending.length === 2,
    "the page is held exactly while something is to be sent": (rig) =>
      rig.holdPage.running() === (context(rig).waiting.length + context(rig).sending.length > 0 ? 1 : 0),
    "every file is in the list, or was reported as removed, once": (rig) =>
      new Set([...rig.removed, ...context(rig).uploads.map(({ id }) => id)]).size === rig.added() &&
      rig.removed.length + context(rig).uploads.length === rig.added(),
  },
});
