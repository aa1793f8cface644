import { afterEach, describe, expect, test } from "vitest";
import { type AnyActor, createActor, fromCallback, SimulatedClock } from "xstate";
import { selectState } from "../../machines/upload.ts";
import { selectUploads, uploadsMachine } from "../../machines/uploads.ts";
import { languages, refusal, settle, summary, worldOfUploads } from "./uploading.ts";

const started: AnyActor[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

function begin() {
  const world = worldOfUploads();
  const clock = new SimulatedClock();
  const hold = { held: 0 };
  const holdPage = fromCallback(() => {
    hold.held += 1;
    return () => {
      hold.held -= 1;
    };
  });
  const actor = createActor(uploadsMachine.provide({ actors: { upload: world.machine, holdPage } }), { clock }).start();
  started.push(actor);
  const removed: string[] = [];
  actor.on("upload.removed", ({ id }) => removed.push(id));

  const states = () =>
    Object.fromEntries(selectUploads(actor.getSnapshot()).map((upload) => [upload.id, selectState(upload.getSnapshot())]));
  const transferOf = (id: string) => world.transfers.findLast((transfer) => transfer.id === id);
  const uploadOf = (id: string) => selectUploads(actor.getSnapshot()).find((upload) => upload.id === id);
  const add = async (...ids: string[]) => {
    const files = ids.map((id) => ({ id, name: `${id}.wav`, size: 10 }));
    actor.send({ type: "files.added", files, languages, maxBytes: 100 });
    for (const look of world.looks.splice(0)) look.answer();
    await settle();
  };
  return { ...world, actor, clock, hold, removed, states, transferOf, uploadOf, add };
}

describe("several files", () => {
  test("two are sent side by side, the others in their order after them", async () => {
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

  test("one that waits for the server keeps its turn", async () => {
    const { add, states, transferOf, clock } = begin();
    await add("a", "b", "c");
    transferOf("a")?.refuse(refusal(0, "network"));
    await settle();
    expect(states()).toEqual({ a: "waitingForServer", b: "uploading", c: "queued" });
    clock.increment(1000);
    expect(states()).toEqual({ a: "uploading", b: "uploading", c: "queued" });
  });

  test("one that is cancelled in the queue never gets a turn", async () => {
    const { add, states, transferOf, uploadOf } = begin();
    await add("a", "b", "c", "d");
    uploadOf("c")?.send({ type: "cancel.requested" });
    transferOf("a")?.answer(summary({ id: "ta" }));
    await settle();
    expect(states()).toEqual({ a: "processing", b: "uploading", c: "cancelled", d: "uploading" });
    uploadOf("c")?.send({ type: "retry.requested" });
    expect(states()).toMatchObject({ c: "checking" });
  });

  test("later ones are added to the list; none at all changes nothing", async () => {
    const { add, states, actor } = begin();
    await add("a");
    const before = selectUploads(actor.getSnapshot());
    await add();
    expect(selectUploads(actor.getSnapshot())).toEqual(before);
    await add("b");
    expect(states()).toEqual({ a: "uploading", b: "uploading" });
  });
});

describe("a file that is dismissed", () => {
  test("is gone, its sending ends, and the next one gets its turn", async () => {
    const { add, states, transferOf, actor, removed } = begin();
    await add("a", "b", "c");
    actor.send({ type: "dismiss.requested", id: "a" });
    await settle();
    expect(states()).toEqual({ b: "uploading", c: "uploading" });
    expect([transferOf("a")?.signal.aborted, removed]).toEqual([true, ["a"]]);
  });

  test("and was never there does no harm", async () => {
    const { add, states, actor } = begin();
    await add("a");
    actor.send({ type: "dismiss.requested", id: "zz" });
    expect(states()).toEqual({ a: "uploading" });
  });
});

describe("the page", () => {
  test("is held while something is on its way up, and not while the server works", async () => {
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

describe("who is signed in", () => {
  test("finds the files again after signing in again", async () => {
    const { add, states, actor, transferOf, tell } = begin();
    actor.send({ type: "user.changed", userId: "ann" });
    await add("a");
    transferOf("a")?.refuse(refusal(401, "unauthorized"));
    await settle();
    expect(states()).toEqual({ a: "waitingForSignIn" });
    actor.send({ type: "user.changed", userId: "ann" });
    tell("signIn", { type: "session.resumed" });
    expect(states()).toEqual({ a: "uploading" });
  });

  test("sees and sends nobody else's", async () => {
    const { add, states, actor, transferOf, removed, hold } = begin();
    actor.send({ type: "user.changed", userId: "ann" });
    await add("a", "b", "c");
    actor.send({ type: "user.changed", userId: "bob" });
    expect([states(), transferOf("a")?.signal.aborted, hold.held]).toEqual([{}, true, 0]);
    expect(removed).toEqual(["a", "b", "c"]);
    await add("d");
    expect(states()).toEqual({ d: "uploading" });
  });
});
