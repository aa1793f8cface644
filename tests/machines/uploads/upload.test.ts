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

/** One upload whose list records its events. */
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

describe("upload before it is sent", () => {
  test("an upload checks its file, then waits for its slot", async () => {
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
  ])("an upload does not send %s", async (_, options, code) => {
    const { state, checks, actor, heard } = begin(options);
    checks[0]?.answer();
    await settle();
    expect([state(), selectFailure(actor.getSnapshot()), heard]).toEqual(["failed", code, []]);
    expect(selectCanRetry(actor.getSnapshot())).toBe(false);
  });

  test("an upload sends a file exactly at the size limit", async () => {
    const { state, checks } = begin({ size: 5000 });
    checks[0]?.answer();
    await settle();
    expect(state()).toBe("queued");
  });

  test("reports a file that can't be read", async () => {
    const { actor, checks } = begin();
    checks[0]?.refuse(Object.assign(new Error("folder"), { code: "unreadable" }));
    await settle();
    expect(selectFailure(actor.getSnapshot())).toBe("unreadable");
  });
});

describe("upload in the history", () => {
  const shown = ({ actor }: ReturnType<typeof begin>) => [
    selectIsUnderWay(actor.getSnapshot()),
    selectIsUnreadable(actor.getSnapshot()),
  ];

  test("the upload in the history is shown until the server has the whole file, canceled or not", async () => {
    const upload = await beginSending();
    expect([upload.state(), ...shown(upload)]).toEqual(["uploading", true, false]);
    upload.actor.send({ type: "cancel.requested" });
    expect([upload.state(), ...shown(upload)]).toEqual(["cancelled", true, false]);
  });

  test("the upload in the history is hidden once it is a transcription with its own row", async () => {
    const upload = await beginSending();
    upload.transfers[0]?.answer(summary({ status: "failed", error: { message: "no", code: "notAudio" } }));
    await settle();
    expect([upload.state(), ...shown(upload)]).toEqual(["failed", false, false]);
  });

  test.each([
    ["among those that can't be read", { size: 0 }, [false, true]],
    ["as one that has failed, if it could be another size", { size: 5001 }, [true, false]],
  ])("the upload in the history is shown or hidden: %s", async (_, options, expected) => {
    const upload = begin(options);
    upload.checks[0]?.answer();
    await settle();
    expect(shown(upload)).toEqual(expected);
  });
});

describe("upload without an answer", () => {
  test.each([
    [0, "network"],
    [429, "tooManyRequests"],
    [502, "internal"],
    [503, "engineUnavailable"],
  ])("repeats the file after 1, 2, 4 … 30 s without limit (%i)", async (status, code) => {
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
    // The slot is kept, so that other uploads don't try the same unavailable server.
    expect(heard).toEqual(["slot.requested"]);
  });

  test.each(["page.resumed", "retry.requested"] as const)("an upload is retried at once after %s", async (type) => {
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
  ])("gives up after five equal answers (%i %s), and allows a manual retry", async (status, code) => {
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
  ])("an upload fails at once after a refusal (%i %s)", async (status, code, retry) => {
    const { actor, transfers, state, heard } = await beginSending();
    transfers[0]?.refuse(refusal(status, code));
    await settle();
    expect([state(), selectFailure(actor.getSnapshot())]).toEqual(["failed", code]);
    expect(selectCanRetry(actor.getSnapshot())).toBe(retry);
    expect(heard).toEqual(["slot.requested", "slot.released"]);
  });

  test("an upload restarts the intervals and the count of attempts after progress", async () => {
    const { clock, transfers, state } = await beginSending();
    for (let attempt = 0; attempt < 20; attempt++) {
      transfers[attempt]?.refuse(refusal(attempt % 2 === 0 ? 0 : 500, "internal", true));
      await settle();
      expect(state()).toBe("waitingForServer");
      clock.increment(1000);
      expect(state()).toBe("uploading");
    }
  });

  test("an upload fails after a server error instead of retrying forever", async () => {
    const { actor, transfers } = await beginSending();
    transfers[0]?.refuse(new TypeError("x is not a function"));
    await settle();
    expect(selectFailure(actor.getSnapshot())).toBe("internal");
  });

  test("waits for a new sign-in after the session has ended", async () => {
    const { transfers, state, emit, clock } = await beginSending();
    transfers[0]?.refuse(refusal(401, "unauthorized"));
    await settle();
    clock.increment(24 * 3600 * 1000);
    expect([state(), transfers.length]).toEqual(["waitingForSignIn", 1]);
    emit("signIn", { type: "session.resumed" });
    expect([state(), transfers.length]).toEqual(["uploading", 2]);
  });
});

describe("paused upload", () => {
  test("stops a running upload, and gives its slot to the next until it resumes", async () => {
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

  test("the paused upload can be paused in the queue or while it waits for the server", async () => {
    const { actor, transfers, state, clock } = await beginSending();
    transfers[0]?.refuse(refusal(0, "network"));
    await settle();
    actor.send({ type: "pause.requested" });
    clock.increment(60_000);
    expect([state(), transfers.length]).toEqual(["paused", 1]);
    actor.send({ type: "cancel.requested" });
    expect(state()).toBe("cancelled");
  });

  test("the paused upload can't be paused after the server has the file", async () => {
    const { actor } = await beginProcessing();
    expect(selectCanPause(actor.getSnapshot())).toBe(false);
  });
});

describe("upload without its file", () => {
  test("waits until the file is chosen again, then continues", async () => {
    const { actor, checks, state, heard } = begin();
    checks[0]?.refuse(Object.assign(new Error("not here"), { code: "missing" }));
    await settle();
    expect([state(), heard, selectFailure(actor.getSnapshot())]).toEqual(["missing", [], null]);
    actor.send({ type: "file.given" });
    checks[1]?.answer();
    await settle();
    expect(state()).toBe("queued");
  });

  test("the upload without its file can be canceled", async () => {
    const { actor, checks, state, discards } = begin();
    checks[0]?.refuse(Object.assign(new Error("not here"), { code: "missing" }));
    await settle();
    actor.send({ type: "cancel.requested" });
    expect([state(), discards.map(({ id }) => id)]).toEqual(["cancelled", ["u1"]]);
  });
});

describe("canceled upload", () => {
  test("stops a running upload and gives its slot to the next", async () => {
    const { actor, transfers, state, heard } = await beginSending();
    actor.send({ type: "cancel.requested" });
    expect([state(), transfers[0]?.signal.aborted, heard]).toEqual(["cancelled", true, ["slot.requested", "slot.released"]]);
    transfers[0]?.refuse(new DOMException("aborted", "AbortError"));
    await settle();
    expect(state()).toBe("cancelled");
    actor.send({ type: "retry.requested" });
    expect(state()).toBe("checking");
  });

  test.each(["thrown away", "not to be had"])("a canceled upload leaves the server's part %s", async (outcome) => {
    const { actor, discards, state } = await beginSending();
    actor.send({ type: "cancel.requested" });
    expect(discards.map(({ id }) => id)).toEqual(["u1"]);
    if (outcome === "thrown away") discards[0]?.answer();
    else discards[0]?.refuse(refusal(0, "network"));
    await settle();
    expect([state(), selectCanRetry(actor.getSnapshot())]).toEqual(["cancelled", true]);
  });

  test("the canceled upload can't be canceled after the server has the file", async () => {
    const { actor, state } = await beginProcessing();
    expect(selectCanCancel(actor.getSnapshot())).toBe(false);
    actor.send({ type: "cancel.requested" });
    expect(state()).toBe("processing");
  });
});

describe("upload during processing", () => {
  test("frees the slot, shows progress, and ends with the text", async () => {
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

  test("requests the state once at the beginning, for events missed before", async () => {
    const { asks, state } = await beginProcessing();
    expect(asks.map(({ id }) => id)).toEqual(["t1"]);
    asks[0]?.answer(summary({ status: "completed" }));
    await settle();
    expect(state()).toBe("completed");
  });

  test("ignores an answer that is older than an update", async () => {
    const { asks, actor, emit, opened } = await beginProcessing();
    const progress = { stage: "recognizing", fraction: 0.9, secondsLeft: 1 } as const;
    emit("updates", { type: "transcription.updated", transcription: summary({ progress }) });
    expect(asks[0]?.signal.aborted).toBe(true);
    asks[0]?.answer(summary());
    await settle();
    expect(selectProgress(actor.getSnapshot())).toEqual(progress);
    expect(opened.filter((kind) => kind === "updates")).toHaveLength(1);
  });

  test("requests the state after 15 s without updates and on waking, and ignores a failed request", async () => {
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

  test("reports a transcription that was deleted", async () => {
    const { asks, actor } = await beginProcessing();
    asks[0]?.refuse(refusal(404, "notFound"));
    await settle();
    expect([selectFailure(actor.getSnapshot()), selectCanRetry(actor.getSnapshot())]).toEqual(["notFound", false]);
  });

  test("an upload shows the warning of its transcription", async () => {
    const { emit, actor } = await beginProcessing();
    const error = { message: "No speech.", code: "noSpeech" } as const;
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "completed", error }) });
    expect([selectWarning(actor.getSnapshot()), selectFailure(actor.getSnapshot())]).toEqual(["noSpeech", null]);
  });

  test("shows a failure, and is processed again without a new upload", async () => {
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

  test("an upload treats an unknown status of its transcription as a failure", async () => {
    const { emit, actor } = await beginProcessing();
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "exploded" }) });
    expect(selectFailure(actor.getSnapshot())).toBe("internal");
  });

  test("a finished upload stops listening for updates", async () => {
    const { emit, listeners } = await beginProcessing();
    emit("updates", { type: "transcription.updated", transcription: summary({ status: "completed" }) });
    expect([listeners.updates.size, listeners.wakeUps.size, listeners.signIn.size]).toEqual([0, 0, 0]);
  });
});
