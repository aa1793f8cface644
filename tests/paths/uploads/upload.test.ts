import { createActor, fromCallback } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { UploadEmitted, UploadEvent, UploadFile, UploadOptions } from "#machines/uploads/events.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";
import { options, summary } from "#tests/machines/uploads/rig.ts";
import { answer, answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const sizes: Record<string, number> = { "a file": 10, "an empty file": 0, "a file that is too large": 1000 };
const maxBytes = 100;

function prepare(stage: Stage) {
  const calls = {
    checkFile: stage.asking<void, UploadFile>(),
    transfer: stage.asking<TranscriptionSummary, { file: UploadFile; options: UploadOptions }>(),
    ask: stage.asking<TranscriptionSummary, { id: string }>(),
    reprocess: stage.asking<TranscriptionSummary, { id: string }>(),
    discard: stage.asking<void, { id: string }>(),
  };
  const listeners = {
    updates: stage.callback<UploadEvent, UploadEvent, { id: string }>(),
    wakeUps: stage.callback<UploadEvent>(),
    signIn: stage.callback<UploadEvent>(),
  };
  const { checkFile, transfer, ask, reprocess, discard } = calls;
  const { updates, wakeUps, signIn } = listeners;
  const machine = uploadMachine.provide({
    actors: {
      checkFile: checkFile.logic,
      transfer: transfer.logic,
      ask: ask.logic,
      reprocess: reprocess.logic,
      discard: discard.logic,
      updates: updates.logic,
      wakeUps: wakeUps.logic,
      signIn: signIn.logic,
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const slots: UploadEmitted["type"][] = [];
    const list = createActor(fromCallback<UploadEmitted>(({ receive }) => receive(({ type }) => slots.push(type)))).start();
    const file = { id: "f1", name: "talk.wav", size: sizes[start] ?? 0 };
    const actor = createActor(machine, { clock, inspect, input: { file, options, maxBytes, list } });
    let completions = 0;
    let wasCompleted = false;
    actor.subscribe((snapshot) => {
      if (snapshot.matches("completed") && !wasCompleted) completions += 1;
      wasCompleted = snapshot.matches("completed");
    });
    return { actor, ...calls, ...listeners, slots, completions: () => completions };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const processing = () => summary();
const completed = () => summary({ status: "completed" });
const failed = summary({ status: "failed", error: { message: "", code: "engineFailed" } });
const hopeless = summary({ status: "failed", error: { message: "", code: "notAudio" } });
const context = ({ actor }: Rig) => actor.getSnapshot().context;
const isIn = (rig: Rig, state: "sending" | "completed" | "failed") => rig.actor.getSnapshot().matches(state);
const hasSlot = ({ slots }: Rig) => slots.at(-1) === "slot.requested";

walkTests<Rig>({
  machine: uploadMachine,
  prepare,
  starts: Object.keys(sizes),
  moves: [
    answered(
      "the file can be read",
      ({ checkFile }: Rig) => checkFile,
      () => undefined,
    ),
    refused("the file can't be read", ({ checkFile }: Rig) => checkFile, failure("unreadable")),
    refused("the file is not here", ({ checkFile }: Rig) => checkFile, failure("missing")),
    sent({ type: "file.given" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    answered(
      "what the server has is thrown away",
      ({ discard }: Rig) => discard,
      () => undefined,
    ),
    refused("throwing away fails", ({ discard }: Rig) => discard, failure("network")),
    sent({ type: "slot.given" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "retry.requested" }),
    answered("the server has it", ({ transfer }: Rig) => transfer, processing),
    refused("nobody is signed in", ({ transfer }: Rig) => transfer, answer(401, "unauthorized")),
    refused("nobody answers", ({ transfer }: Rig) => transfer, answer(0, "network")),
    refused("the server is ill", ({ transfer }: Rig) => transfer, answer(500, "internal")),
    refused("the server has no room", ({ transfer }: Rig) => transfer, answer(507, "storageFull")),
    answered("asked, it is completed", ({ ask }: Rig) => ask, completed),
    answered("asked, it is still worked on", ({ ask }: Rig) => ask, processing),
    answered(
      "asked, it has failed",
      ({ ask }: Rig) => ask,
      () => failed,
    ),
    refused("asked, it is gone", ({ ask }: Rig) => ask, failure("gone")),
    refused("asking fails", ({ ask }: Rig) => ask, failure("network")),
    said({ type: "transcription.updated", transcription: completed() }, ({ updates }: Rig) => updates, "update: it is completed"),
    said(
      { type: "transcription.updated", transcription: hopeless },
      ({ updates }: Rig) => updates,
      "update: it has failed for good",
    ),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    said({ type: "session.resumed" }, ({ signIn }: Rig) => signIn),
    answered("it is worked on again", ({ reprocess }: Rig) => reprocess, processing),
    refused("working again fails", ({ reprocess }: Rig) => reprocess, failure("internal")),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { attempts, code, transcription } = context(rig);
    return [context(rig).file.size, Math.min(attempts, 6), code, transcription?.status];
  },
  rules: {
    "it never completes twice": (rig) => rig.completions() <= 1,
    "what is completed is left in peace": (rig) =>
      !isIn(rig, "completed") ||
      ([rig.transfer, rig.ask, rig.reprocess, rig.checkFile].every((call) => call.open().length === 0) &&
        rig.updates.running() + rig.wakeUps.running() + rig.signIn.running() === 0),
    "what is paused, or has no file, is not sent": (rig) =>
      !(rig.actor.getSnapshot().matches("paused") || rig.actor.getSnapshot().matches("missing")) ||
      (rig.transfer.open().length === 0 && !hasSlot(rig)),
    "what the server has is thrown away only of what was cancelled": (rig) =>
      rig.discard.open().length === 0 || rig.actor.getSnapshot().matches("cancelled"),
    "it is sent once at a time": ({ transfer }) => transfer.open().length <= 1,
    "it is sent only with a slot": (rig) => rig.transfer.open().length === 0 || hasSlot(rig),
    "a slot is held exactly while it is being sent, and given back once": (rig) =>
      hasSlot(rig) === isIn(rig, "sending") &&
      rig.slots.every((slot, index) => slot === (index % 2 === 0 ? "slot.requested" : "slot.released")),
    "what is empty or too large is never sent": (rig) =>
      rig.transfer.times() === 0 || (context(rig).file.size > 0 && context(rig).file.size <= maxBytes),
    "a failure has a reason": (rig) => !isIn(rig, "failed") || context(rig).code !== null,
    "what waits for the server is tried again within 30 s": (rig, clock) =>
      !rig.actor.getSnapshot().matches({ sending: "waitingForServer" }) || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "what the server has is not sent again": (rig) => context(rig).transcription === null || rig.transfer.open().length === 0,
  },
});
