import { createActor, fromCallback } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { UploadEmitted, UploadEvent, UploadFile, UploadOptions } from "#machines/uploads/events.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";
import { options, summary } from "#tests/machines/uploads/harness.ts";
import { answer, answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const sizes: Record<string, number> = { "a file": 10, "an empty file": 0, "a file that is too large": 1000 };
const maxBytes = 100;

function prepare(stubs: Stubs) {
  const calls = {
    checkFile: stubs.asking<void, UploadFile>(),
    transfer: stubs.asking<TranscriptionSummary, { file: UploadFile; options: UploadOptions }>(),
    ask: stubs.asking<TranscriptionSummary, { id: string }>(),
    reprocess: stubs.asking<TranscriptionSummary, { id: string }>(),
    discard: stubs.asking<void, { id: string }>(),
  };
  const listeners = {
    updates: stubs.callback<UploadEvent, UploadEvent, { id: string }>(),
    wakeUps: stubs.callback<UploadEvent>(),
    signIn: stubs.callback<UploadEvent>(),
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const processing = () => summary();
const completed = () => summary({ status: "completed" });
const failed = summary({ status: "failed", error: { message: "", code: "engineFailed" } });
const hopeless = summary({ status: "failed", error: { message: "", code: "notAudio" } });
const context = ({ actor }: Harness) => actor.getSnapshot().context;
const isIn = (harness: Harness, state: "sending" | "completed" | "failed") => harness.actor.getSnapshot().matches(state);
const hasSlot = ({ slots }: Harness) => slots.at(-1) === "slot.requested";

walkTests<Harness>({
  machine: uploadMachine,
  prepare,
  starts: Object.keys(sizes),
  moves: [
    answered(
      "the file can be read",
      ({ checkFile }: Harness) => checkFile,
      () => undefined,
    ),
    refused("the file can't be read", ({ checkFile }: Harness) => checkFile, failure("unreadable")),
    refused("the file is not here", ({ checkFile }: Harness) => checkFile, failure("missing")),
    sent({ type: "file.given" }),
    sent({ type: "pause.requested" }),
    sent({ type: "resume.requested" }),
    answered(
      "what the server has is thrown away",
      ({ discard }: Harness) => discard,
      () => undefined,
    ),
    refused("throwing away fails", ({ discard }: Harness) => discard, failure("network")),
    sent({ type: "slot.given" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "retry.requested" }),
    answered("the server has it", ({ transfer }: Harness) => transfer, processing),
    refused("nobody is signed in", ({ transfer }: Harness) => transfer, answer(401, "unauthorized")),
    refused("nobody answers", ({ transfer }: Harness) => transfer, answer(0, "network")),
    refused("the server is ill", ({ transfer }: Harness) => transfer, answer(500, "internal")),
    refused("the server has no room", ({ transfer }: Harness) => transfer, answer(507, "storageFull")),
    answered("asked, it is completed", ({ ask }: Harness) => ask, completed),
    answered("asked, it is still worked on", ({ ask }: Harness) => ask, processing),
    answered(
      "asked, it has failed",
      ({ ask }: Harness) => ask,
      () => failed,
    ),
    refused("asked, it is gone", ({ ask }: Harness) => ask, failure("gone")),
    refused("asking fails", ({ ask }: Harness) => ask, failure("network")),
    said(
      { type: "transcription.updated", transcription: completed() },
      ({ updates }: Harness) => updates,
      "update: it is completed",
    ),
    said(
      { type: "transcription.updated", transcription: hopeless },
      ({ updates }: Harness) => updates,
      "update: it has failed for good",
    ),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    said({ type: "session.resumed" }, ({ signIn }: Harness) => signIn),
    answered("it is worked on again", ({ reprocess }: Harness) => reprocess, processing),
    refused("working again fails", ({ reprocess }: Harness) => reprocess, failure("internal")),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { attempts, code, transcription } = context(harness);
    return [context(harness).file.size, Math.min(attempts, 6), code, transcription?.status];
  },
  rules: {
    "it never completes twice": (harness) => harness.completions() <= 1,
    "what is completed is left in peace": (harness) =>
      !isIn(harness, "completed") ||
      ([harness.transfer, harness.ask, harness.reprocess, harness.checkFile].every((call) => call.open().length === 0) &&
        harness.updates.running() + harness.wakeUps.running() + harness.signIn.running() === 0),
    "what is paused, or has no file, is not sent": (harness) =>
      !(harness.actor.getSnapshot().matches("paused") || harness.actor.getSnapshot().matches("missing")) ||
      (harness.transfer.open().length === 0 && !hasSlot(harness)),
    "what the server has is thrown away only of what was cancelled": (harness) =>
      harness.discard.open().length === 0 || harness.actor.getSnapshot().matches("cancelled"),
    "it is sent once at a time": ({ transfer }) => transfer.open().length <= 1,
    "it is sent only with a slot": (harness) => harness.transfer.open().length === 0 || hasSlot(harness),
    "a slot is held exactly while it is being sent, and given back once": (harness) =>
      hasSlot(harness) === isIn(harness, "sending") &&
      harness.slots.every((slot, index) => slot === (index % 2 === 0 ? "slot.requested" : "slot.released")),
    "what is empty or too large is never sent": (harness) =>
      harness.transfer.times() === 0 || (context(harness).file.size > 0 && context(harness).file.size <= maxBytes),
    "a failure has a reason": (harness) => !isIn(harness, "failed") || context(harness).code !== null,
    "what waits for the server is tried again within 30 s": (harness, clock) =>
      !harness.actor.getSnapshot().matches({ sending: "waitingForServer" }) || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "what the server has is not sent again": (harness) =>
      context(harness).transcription === null || harness.transfer.open().length === 0,
  },
});
