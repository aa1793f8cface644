import { afterEach, describe, expect, test } from "vitest";
import { type AnyActor, createActor, fromCallback, SimulatedClock } from "xstate";
import type { UploadEmitted } from "#machines/uploads/events.ts";
import {
  selectCanCancel,
  selectCanPause,
  selectCanResume,
  selectCanRetry,
  selectFailure,
  selectIsUnderWay,
  selectIsUnreadable,
  selectProgress,
  selectState,
  selectText,
  selectTranscriptionId,
  selectWarning,
} from "#machines/uploads/selectors.ts";
import { createUploadHarness, options, refusal, settle, summary } from "./harness.ts";

const started: AnyActor[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

/** One upload whose list writes down what it hears. */
function begin({ size = 1000, maxBytes = 5000 } = {}) {
  const harness = createUploadHarness();
  const clock = new SimulatedClock();
  const heard: string[] = [];
  const list = createActor(fromCallback<UploadEmitted>(({ receive }) => receive((event) => heard.push(event.type)))).start();
  const input = { file: { id: "u1", name: "talk.wav", size }, options, maxBytes, list };
  const actor = createActor(harness.machine, { input, clock }).start();
  started.push(actor, list);
  const state = () => selectState(actor.getSnapshot());
  return { ...harness, actor, clock, heard, state };
}

/** Looked at, and sent once. */
async function beginSending() {
  const upload = begin();
  upload.checks[0]?.answer();
  await settle();
  upload.actor.send({ type: "slot.given" });
  return upload;
}

async function beginProcessing() {
  const upload = await beginSending();
  upload.transfers[0]?.answer(summary());
  await settle();
  return upload;
}

describe("before it is sent", () => {
  test("a file is looked at, then waits for its slot", async () => {
    const { state, checks, actor, transfers, heard } = begin();
    expect(state()).toBe("checking");
    checks[0]?.answer();
    await settle();
    expect([state(), heard, transfers.length]).toEqual(["queued", ["slot.requested"], 0]);
    actor.send({ type: "slot.given" });
    expect([state(), transfers.length]).toEqual(["uploading", 1]);
  });

  test.each([
    ["an empty one", { size: 0 }, "emptyFile"],
    ["one over the limit", { size: 5001 }, "tooLarge"],
  ])("%s is not sent", async (_, options, code) => {
    const { state, checks, actor, heard } = begin(options);
    checks[0]?.answer();
    await settle();
    expect([state(), selectFailure(actor.getSnapshot()), heard]).toEqual(["failed", code, []]);
    expect(selectCanRetry(actor.getSnapshot())).toBe(false);
  });

  test("one exactly at the limit is sent", async () => {
    const { state, checks } = begin({ size: 5000 });
    checks[0]?.answer();
    await settle();
    expect(state()).toBe("queued");
  });

  test("one that can't be read says so", async () => {
    const { actor, checks } = begin();
    checks[0]?.refuse(Object.assign(new Error("folder"), { code: "unreadable" }));
    await settle();
    expect(selectFailure(actor.getSnapshot())).toBe("unreadable");
  });
});

describe("the history shows it", () => {
  const shown = ({ actor }: ReturnType<typeof begin>) => [
    selectIsUnderWay(actor.getSnapshot()),
    selectIsUnreadable(actor.getSnapshot()),
  ];

  test("until the server has all of it, cancelled or not", async () => {
    const upload = await beginSending();
    expect([upload.state(), ...shown(upload)]).toEqual(["uploading", true, false]);
    upload.actor.send({ type: "cancel.requested" });
    expect([upload.state(), ...shown(upload)]).toEqual(["cancelled", true, false]);
  });

  test("no more when it is a transcription, which has a row of its own", async () => {
    const upload = await beginSending();
    upload.transfers[0]?.answer(summary({ status: "failed", error: { message: "no", code: "notAudio" } }));
    await settle();
    expect([upload.state(), ...shown(upload)]).toEqual(["failed", false, false]);
  });

  test.each([
    ["among those that can't be read", { size: 0 }, [false, true]],
    ["as one that has failed, if it could be another size", { size: 5001 }, [true, false]],
  ])("%s", async (_, options, expected) => {
    const upload = begin(options);
    upload.checks[0]?.answer();
    await settle();
    expect(shown(upload)).toEqual(expected);
  });
});

describe("without an answer", () => {
  test.each([
    [0, "network"],
    [429, "tooManyRequests"],
    [502, "internal"],
    [503, "engineUnavailable"],
  ])("(%i) the same file is sent again after 1, 2, 4 … 30 s, for as long as it takes", async (status, code) => {
    const { clock, transfers, state, heard } = await beginSending();
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30, 30].entries()) {
      transfers[index]?.refuse(refusal(status, code));
      await settle();
      expect(state()).toBe("waitingForServer");
      clock.increment(seconds * 1000 - 1);
      expect(state()).toBe("waitingForServer");
      clock.increment(1);
      expect(state()).toBe("uploading");
    }
    expect(transfers.map(({ id }) => id)).toEqual(Array(9).fill("u1"));
    // The slot is kept: the others don't ring at the same closed door.
    expect(heard).toEqual(["slot.requested"]);
  });

  test.each(["page.resumed", "retry.requested"] as const)("it is sent at once after %s", async (type) => {
    const { actor, transfers, state, emit, listeners } = await beginSending();
    transfers[0]?.refuse(refusal(0, "network"));
    await settle();
    if (type === "page.resumed") emit("wakeUps", { type });
    else actor.send({ type });
    expect([state(), transfers.length, listeners.wakeUps.size]).toEqual(["uploading", 2, 0]);
  });

  test.each([
    [500, "internal"],
    [422, "interrupted"],
    [409, "conflict"],
  ])("(%i %s) it gives up after five answers that say the same, and can be sent again by hand", async (status, code) => {
    const { actor, clock, transfers, state, checks } = await beginSending();
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(state()).toBe("uploading");
      transfers[attempt]?.refuse(refusal(status, code));
      await settle();
      clock.increment(30_000);
    }
    expect([state(), selectFailure(actor.getSnapshot()), transfers.length]).toEqual(["failed", code, 5]);
    actor.send({ type: "retry.requested" });
    checks[1]?.answer();
    await settle();
    expect([state(), selectFailure(actor.getSnapshot())]).toEqual(["queued", null]);
  });

  test.each([
    [413, "tooLarge", false],
    [422, "languageUnavailable", false],
    [507, "storageFull", true],
    [403, "forbidden", true],
  ])("an answer that is a refusal (%i %s) counts at once", async (status, code, retry) => {
    const { actor, transfers, state, heard } = await beginSending();
    transfers[0]?.refuse(refusal(status, code));
    await settle();
    expect([state(), selectFailure(actor.getSnapshot())]).toEqual(["failed", code]);
    expect(selectCanRetry(actor.getSnapshot())).toBe(retry);
    expect(heard).toEqual(["slot.requested", "slot.released"]);
  });

  test("a try that brought it on begins the waiting anew, and the counting of answers", async () => {
    const { clock, transfers, state } = await beginSending();
    for (let attempt = 0; attempt < 20; attempt++) {
      transfers[attempt]?.refuse(refusal(attempt % 2 === 0 ? 0 : 500, "internal", true));
      await settle();
      expect(state()).toBe("waitingForServer");
      clock.increment(1000);
      expect(state()).toBe("uploading");
    }
  });

  test("a defect is no reason to try for ever", async () => {
    const { actor, transfers } = await beginSending();
    transfers[0]?.refuse(new TypeError("x is not a function"));
    await settle();
    expect(selectFailure(actor.getSnapshot())).toBe("internal");
  });

  test("a session that has ended is waited for", async () => {
    const { transfers, state, emit, clock } = await beginSending();
    transfers[0]?.refuse(refusal(401, "unauthorized"));
    await settle();
    clock.increment(24 * 3600 * 1000);
    expect([state(), transfers.length]).toEqual(["waitingForSignIn", 1]);
    emit("signIn", { type: "session.resumed" });
    expect([state(), transfers.length]).toEqual(["uploading", 2]);
  });
});

describe("paused", () => {
  test("an upload that is paused while it is sent stops, and its slot goes to the next, until it is resumed", async () => {
    const { actor, transfers, state, heard, clock, discards } = await beginSending();
    expect([selectCanPause(actor.getSnapshot()), selectCanResume(actor.getSnapshot())]).toEqual([true, false]);
    actor.send({ type: "pause.requested" });
    expect([state(), transfers[0]?.signal.aborted, heard]).toEqual(["paused", true, ["slot.requested", "slot.released"]]);
    clock.increment(24 * 3600 * 1000);
    expect([state(), discards.length, selectCanResume(actor.getSnapshot())]).toEqual(["paused", 0, true]);
    actor.send({ type: "resume.requested" });
    expect([state(), heard.at(-1)]).toEqual(["queued", "slot.requested"]);
    actor.send({ type: "slot.given" });
    expect([state(), transfers.length]).toEqual(["uploading", 2]);
  });

  test("in the queue, or while it waits for the server", async () => {
    const { actor, transfers, state, clock } = await beginSending();
    transfers[0]?.refuse(refusal(0, "network"));
    await settle();
    actor.send({ type: "pause.requested" });
    clock.increment(60_000);
    expect([state(), transfers.length]).toEqual(["paused", 1]);
    actor.send({ type: "cancel.requested" });
    expect(state()).toBe("cancelled");
  });

  test("not after the server has it", async () => {
    const { actor } = await beginProcessing();
    expect(selectCanPause(actor.getSnapshot())).toBe(false);
  });
});

describe("without its file", () => {
  test("it waits until the file is chosen again, and then goes on", async () => {
    const { actor, checks, state, heard } = begin();
    checks[0]?.refuse(Object.assign(new Error("not here"), { code: "missing" }));
    await settle();
    expect([state(), heard, selectFailure(actor.getSnapshot())]).toEqual(["missing", [], null]);
    actor.send({ type: "file.given" });
    checks[1]?.answer();
    await settle();
    expect(state()).toBe("queued");
  });

  test("it can be given up", async () => {
    const { actor, checks, state, discards } = begin();
    checks[0]?.refuse(Object.assign(new Error("not here"), { code: "missing" }));
    await settle();
    actor.send({ type: "cancel.requested" });
    expect([state(), discards.map(({ id }) => id)]).toEqual(["cancelled", ["u1"]]);
  });
});

describe("cancelled", () => {
  test("an upload that is cancelled while it is sent stops, and its slot goes to the next", async () => {
    const { actor, transfers, state, heard } = await beginSending();
    actor.send({ type: "cancel.requested" });
    expect([state(), transfers[0]?.signal.aborted, heard]).toEqual(["cancelled", true, ["slot.requested", "slot.released"]]);
    transfers[0]?.refuse(new DOMException("aborted", "AbortError"));
    await settle();
    expect(state()).toBe("cancelled");
    actor.send({ type: "retry.requested" });
    expect(state()).toBe("checking");
  });

  test.each(["thrown away", "not to be had"])("what the server has of it is %s", async (outcome) => {
    const { actor, discards, state } = await beginSending();
    actor.send({ type: "cancel.requested" });
    expect(discards.map(({ id }) => id)).toEqual(["u1"]);
    if (outcome === "thrown away") discards[0]?.answer();
    else discards[0]?.refuse(refusal(0, "network"));
    await settle();
    expect([state(), selectCanRetry(actor.getSnapshot())]).toEqual(["cancelled", true]);
  });

  test("not after the server has it", async () => {
    const { actor, state } = await beginProcessing();
    expect(selectCanCancel(actor.getSnapshot())).toBe(false);
    actor.send({ type: "cancel.requested" });
    expect(state()).toBe("processing");
  });
});

describe("while the server works on it", () => {
  test("the slot is free, progress follows, and it is done with its text", async () => {
    const { actor, state, heard, emit } = await beginProcessing();
    expect([state(), heard, selectTranscriptionId(actor.getSnapshot())]).toEqual([
      "processing",
      ["slot.requested", "slot.released"],
      "t1",
    ]);
    const progress = { stage: "recognizing", fraction: 0.4, secondsLeft: 7 } as const;
    emit("updates", { type: "transcription.updated", transcription: summary({ progress }) });
    expect(selectProgress(actor.getSnapshot())).toEqual(progress);
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "completed", text: "a harbor" }) });
    expect([state(), selectText(actor.getSnapshot()), selectWarning(actor.getSnapshot())]).toEqual([
      "completed",
      "a harbor",
      null,
    ]);
  });

  test("it asks once at the beginning, for what happened before it listened", async () => {
    const { asks, state } = await beginProcessing();
    expect(asks.map(({ id }) => id)).toEqual(["t1"]);
    asks[0]?.answer(summary({ status: "completed" }));
    await settle();
    expect(state()).toBe("completed");
  });

  test("an answer older than an update is not heard, and listening goes on through all of it", async () => {
    const { asks, actor, emit, opened } = await beginProcessing();
    const progress = { stage: "recognizing", fraction: 0.9, secondsLeft: 1 } as const;
    emit("updates", { type: "transcription.updated", transcription: summary({ progress }) });
    expect(asks[0]?.signal.aborted).toBe(true);
    asks[0]?.answer(summary());
    await settle();
    expect(selectProgress(actor.getSnapshot())).toEqual(progress);
    expect(opened.filter((kind) => kind === "updates")).toHaveLength(1);
  });

  test("after 15 s without updates, or on waking, it asks again; no answer is no failure", async () => {
    const { asks, clock, emit, state } = await beginProcessing();
    asks[0]?.refuse(refusal(0, "network"));
    await settle();
    clock.increment(14_000);
    emit("updates", { type: "transcription.updated", transcription: summary() });
    clock.increment(14_999);
    expect(asks).toHaveLength(1);
    clock.increment(1);
    expect(asks).toHaveLength(2);
    asks[1]?.refuse(refusal(0, "network"));
    await settle();
    emit("wakeUps", { type: "page.resumed" });
    expect([asks.length, state()]).toEqual([3, "processing"]);
  });

  test("one that was deleted meanwhile is said to be gone", async () => {
    const { asks, actor } = await beginProcessing();
    asks[0]?.refuse(refusal(404, "notFound"));
    await settle();
    expect([selectFailure(actor.getSnapshot()), selectCanRetry(actor.getSnapshot())]).toEqual(["notFound", false]);
  });

  test("a warning comes with what is done", async () => {
    const { emit, actor } = await beginProcessing();
    const error = { message: "No speech.", code: "noSpeech" } as const;
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "completed", error }) });
    expect([selectWarning(actor.getSnapshot()), selectFailure(actor.getSnapshot())]).toEqual(["noSpeech", null]);
  });

  test("its failure is shown, and it is processed again without being sent again", async () => {
    const { emit, actor, state, retries, transfers } = await beginProcessing();
    const error = { message: "No.", code: "engineFailed" } as const;
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "failed", error }) });
    expect([state(), selectFailure(actor.getSnapshot())]).toEqual(["failed", "engineFailed"]);

    actor.send({ type: "retry.requested" });
    expect([state(), retries[0]?.id]).toEqual(["processing", "t1"]);
    retries[0]?.refuse(refusal(0, "network"));
    await settle();
    expect([state(), selectFailure(actor.getSnapshot()), selectCanRetry(actor.getSnapshot())]).toEqual([
      "failed",
      "network",
      true,
    ]);

    actor.send({ type: "retry.requested" });
    retries[1]?.answer(summary());
    await settle();
    expect([state(), transfers.length]).toEqual(["processing", 1]);
  });

  test("a status that nobody knows is a failure", async () => {
    const { emit, actor } = await beginProcessing();
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "exploded" }) });
    expect(selectFailure(actor.getSnapshot())).toBe("internal");
  });

  test("nothing listens any more when it is done", async () => {
    const { emit, listeners } = await beginProcessing();
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "completed" }) });
    expect([listeners.updates.size, listeners.wakeUps.size, listeners.signIn.size]).toEqual([0, 0, 0]);
  });
});
