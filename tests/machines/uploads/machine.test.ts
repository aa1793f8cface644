import { afterEach, describe, expect, test } from "vitest";
import { type AnyActor, createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import { selectUploads, selectUserId, type UnfinishedUpload, uploadsMachine } from "#machines/uploads/machine.ts";
import { selectState } from "#machines/uploads/selectors.ts";
import { createUploadHarness, options, refusal, settle, summary } from "./harness.ts";

const started: AnyActor[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

function begin(kept: Record<string, UnfinishedUpload[]> = {}) {
  const harness = createUploadHarness();
  const recalled: string[] = [];
  const recall = fromPromise<readonly UnfinishedUpload[], { userId: string }>(async ({ input: { userId } }) => {
    recalled.push(userId);
    const found = kept[userId];
    if (found === undefined) throw new Error("nothing is kept here");
    return found;
  });
  const clock = new SimulatedClock();
  const hold = { held: 0 };
  const holdPage = fromCallback(() => {
    hold.held += 1;
    return () => {
      hold.held -= 1;
    };
  });
  const actor = createActor(uploadsMachine.provide({ actors: { upload: harness.machine, holdPage, recall } }), { clock }).start();
  started.push(actor);
  const removed: string[] = [];
  actor.on("upload.removed", ({ id, ownerLeft }) => removed.push(ownerLeft ? `${id} with its owner` : id));

  const states = () =>
    Object.fromEntries(selectUploads(actor.getSnapshot()).map((upload) => [upload.id, selectState(upload.getSnapshot())]));
  const transferOf = (id: string) => harness.transfers.findLast((transfer) => transfer.id === id);
  const uploadOf = (id: string) => selectUploads(actor.getSnapshot()).find((upload) => upload.id === id);
  const add = async (...ids: string[]) => {
    const files = ids.map((id) => ({ id, name: `${id}.wav`, size: 10 }));
    actor.send({ type: "files.added", files, options, maxBytes: 100 });
    for (const check of harness.checks.splice(0)) check.answer();
    await settle();
  };
  return { ...harness, actor, clock, hold, removed, recalled, states, transferOf, uploadOf, add };
}

describe("several uploads", () => {
  test("sends two files at a time and the others in order", async () => {
    const { add, states, transferOf } = begin();
    await add("a", "b", "c", "d");
    expect(states()).toEqual({ a: "uploading", b: "uploading", c: "queued", d: "queued" });
    transferOf("b")?.answer(summary({ id: "tb" }));
    await settle();
    expect(states()).toEqual({ a: "uploading", b: "processing", c: "uploading", d: "queued" });
    transferOf("a")?.refuse(refusal(413, "tooLarge"));
    await settle();
    expect(states()).toEqual({ a: "failed", b: "processing", c: "uploading", d: "uploading" });
  });

  test("keeps the slot of an upload that waits for the server", async () => {
    const { add, states, transferOf, clock } = begin();
    await add("a", "b", "c");
    transferOf("a")?.refuse(refusal(0, "network"));
    await settle();
    expect(states()).toEqual({ a: "waitingForServer", b: "uploading", c: "queued" });
    clock.increment(1000);
    expect(states()).toEqual({ a: "uploading", b: "uploading", c: "queued" });
  });

  test("gives no slot to an upload that was canceled in the queue", async () => {
    const { add, states, transferOf, uploadOf } = begin();
    await add("a", "b", "c", "d");
    uploadOf("c")?.send({ type: "cancel.requested" });
    transferOf("a")?.answer(summary({ id: "ta" }));
    await settle();
    expect(states()).toEqual({ a: "processing", b: "uploading", c: "cancelled", d: "uploading" });
    uploadOf("c")?.send({ type: "retry.requested" });
    expect(states()).toMatchObject({ c: "checking" });
  });

  test("the list of uploads adds later files, and ignores an empty selection", async () => {
    const { add, states, actor } = begin();
    await add("a");
    const before = selectUploads(actor.getSnapshot());
    await add();
    expect(selectUploads(actor.getSnapshot())).toEqual(before);
    await add("b");
    expect(states()).toEqual({ a: "uploading", b: "uploading" });
  });
});

describe("dismissed upload", () => {
  test("ends a dismissed upload and gives its slot to the next", async () => {
    const { add, states, transferOf, actor, removed } = begin();
    await add("a", "b", "c");
    actor.send({ type: "dismiss.requested", id: "a" });
    await settle();
    expect(states()).toEqual({ b: "uploading", c: "uploading" });
    expect([transferOf("a")?.signal.aborted, removed]).toEqual([true, ["a"]]);
  });

  test("ignores the dismissal of an unknown upload", async () => {
    const { add, states, actor } = begin();
    await add("a");
    actor.send({ type: "dismiss.requested", id: "zz" });
    expect(states()).toEqual({ a: "uploading" });
  });
});

describe("page during uploads", () => {
  test("the page during uploads is held during uploads, but not while the server processes files", async () => {
    const { add, transferOf, hold, uploadOf } = begin();
    expect(hold.held).toBe(0);
    await add("a", "b", "c");
    expect(hold.held).toBe(1);
    transferOf("a")?.answer(summary({ id: "ta" }));
    transferOf("b")?.answer(summary({ id: "tb" }));
    await settle();
    expect(hold.held).toBe(1);
    uploadOf("c")?.send({ type: "cancel.requested" });
    expect(hold.held).toBe(0);
  });
});

describe("owner of uploads", () => {
  test("finds a user's files again after they sign in again", async () => {
    const { add, states, actor, transferOf, emit } = begin();
    actor.send({ type: "user.changed", userId: "ann" });
    await add("a");
    transferOf("a")?.refuse(refusal(401, "unauthorized"));
    await settle();
    expect(states()).toEqual({ a: "waitingForSignIn" });
    actor.send({ type: "user.changed", userId: "ann" });
    emit("signIn", { type: "session.resumed" });
    expect(states()).toEqual({ a: "uploading" });
  });

  test("a user sees and sends only their own files", async () => {
    const { add, states, actor, transferOf, removed, hold } = begin();
    actor.send({ type: "user.changed", userId: "ann" });
    await add("a", "b", "c");
    actor.send({ type: "user.changed", userId: "bob" });
    expect([states(), transferOf("a")?.signal.aborted, hold.held]).toEqual([{}, true, 0]);
    expect(removed).toEqual(["a", "b", "c"].map((id) => `${id} with its owner`));
    await add("d");
    expect(states()).toEqual({ d: "uploading" });
  });
});

describe("uploads from before the page was loaded", () => {
  const unfinished = (id: string): UnfinishedUpload => ({ file: { id, name: "talk.wav", size: 10 }, options, maxBytes: 100 });

  test("uploads from before the page was loaded resume by themselves once their owner is known", async () => {
    const { actor, states, checks, recalled } = begin({ ann: [unfinished("a"), unfinished("b")] });
    actor.send({ type: "user.changed", userId: "ann" });
    await settle();
    actor.send({ type: "user.changed", userId: "ann" });
    expect([states(), recalled]).toEqual([{ a: "checking", b: "checking" }, ["ann"]]);
    checks[0]?.answer();
    checks[1]?.refuse(Object.assign(new Error("not here"), { code: "missing" }));
    await settle();
    expect(states()).toEqual({ a: "uploading", b: "missing" });
  });

  test("uploads from before the page was loaded belong to their owner only", async () => {
    const { actor, states, recalled } = begin({ ann: [unfinished("a")], bob: [unfinished("b")] });
    actor.send({ type: "user.changed", userId: "ann" });
    await settle();
    actor.send({ type: "user.changed", userId: "bob" });
    await settle();
    expect([states(), recalled, selectUserId(actor.getSnapshot())]).toEqual([{ b: "checking" }, ["ann", "bob"], "bob"]);
  });

  test("uploads from before the page was loaded are empty without browser storage, and appear only once", async () => {
    const { actor, states, add } = begin({ ann: [unfinished("a")] });
    actor.send({ type: "user.changed", userId: "nobody" });
    await settle();
    expect(states()).toEqual({});
    await add("a");
    actor.send({ type: "user.changed", userId: "nobody" });
    expect(states()).toEqual({ a: "uploading" });
  });
});
