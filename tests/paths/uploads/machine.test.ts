import { createActor, type EventObject } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { UploadEvent, UploadFile, UploadOptions } from "#machines/uploads/events.ts";
import { type UnfinishedUpload, type UploadsEvent, uploadsMachine } from "#machines/uploads/machine.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";
import { options, summary } from "#tests/machines/uploads/harness.ts";
import { answer, answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const most = 3;

function prepare(stubs: Stubs) {
  const checkFile = stubs.asking<void, UploadFile>();
  const transfer = stubs.asking<TranscriptionSummary, { file: UploadFile; options: UploadOptions }>();
  const ask = stubs.asking<TranscriptionSummary, { id: string }>();
  const quiet = stubs.callback<UploadEvent>();
  const updates = stubs.callback<UploadEvent, UploadEvent, { id: string }>();
  const recall = stubs.asking<readonly UnfinishedUpload[], { userId: string }>();
  const holdPage = stubs.callback<UploadsEvent, EventObject>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;

const add: Move<Harness> = {
  name: "a file is added",
  may: (harness) => context(harness).uploads.length < most,
  happen: (harness) => harness.actor.send({ type: "files.added", files: [harness.next()], options, maxBytes: 100 }),
};

const dismiss = (which: 0 | -1): Move<Harness> => ({
  name: which === 0 ? "the first is dismissed" : "the last is dismissed",
  may: (harness) => context(harness).uploads.length > 0,
  happen: (harness) => harness.actor.send({ type: "dismiss.requested", id: context(harness).uploads.at(which)?.id ?? "" }),
});

walkTests<Harness>({
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
      ({ recall }: Harness) => recall,
      () => [],
    ),
    refused("the browser keeps nothing", ({ recall }: Harness) => recall, failure("internal")),
    answered(
      "a file can be read",
      ({ checkFile }: Harness) => checkFile,
      () => undefined,
    ),
    answered(
      "a file has arrived",
      ({ transfer }: Harness) => transfer,
      () => summary(),
    ),
    refused("a file is refused", ({ transfer }: Harness) => transfer, answer(400, "badRequest")),
  ],
  isLocal: "each upload meets the network by itself (upload.test.ts)",
  situation: (harness) => {
    const { userId, uploads, waiting, sending } = context(harness);
    return [userId, uploads.map((upload) => upload.getSnapshot().value), waiting.length, sending.length];
  },
  rules: {
    "two files are sent at a time, not more": ({ transfer }) => transfer.open().length <= 2,
    "who has a slot is sent": (harness) => context(harness).sending.length === harness.transfer.open().length,
    "nobody waits while there is room": (harness) =>
      context(harness).waiting.length === 0 || context(harness).sending.length === 2,
    "the page is held exactly while something is to be sent": (harness) =>
      harness.holdPage.running() === (context(harness).waiting.length + context(harness).sending.length > 0 ? 1 : 0),
    "every file is in the list, or was reported as removed, once": (harness) =>
      new Set([...harness.removed, ...context(harness).uploads.map(({ id }) => id)]).size === harness.added() &&
      harness.removed.length + context(harness).uploads.length === harness.added(),
  },
});
