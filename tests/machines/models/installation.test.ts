import { expect, test } from "vitest";
import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { ModelCheck } from "#contract/index.ts";
import { type InstallationEmitted, maxAttempts, modelInstallationMachine, selectState } from "#machines/models/installation.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function begin(sources = 2) {
  const calls = {
    download: answering<void, { id: string; source: number }>(),
    verify: answering<ModelCheck, { id: string; source: number; isFromFile: boolean }>(),
    unpack: answering<ModelCheck, { id: string; source: number; isFromFile: boolean; check: ModelCheck | null }>(),
    tryOut: answering<void, { id: string }>(),
    place: answering<void, { id: string; check: ModelCheck | null }>(),
    discard: answering<void, { id: string }>(),
  };
  const { download, verify, unpack, tryOut, place, discard } = calls;
  const machine = modelInstallationMachine.provide({
    actors: {
      download: download.logic,
      verify: verify.logic,
      unpack: unpack.logic,
      tryOut: tryOut.logic,
      place: place.logic,
      discard: discard.logic,
    },
  });
  const clock = new SimulatedClock();
  const slots: string[] = [];
  const queue = stopsAfterTest(
    createActor(fromCallback<InstallationEmitted>(({ receive }) => receive(({ type }) => slots.push(type)))).start(),
  );
  const actor = stopsAfterTest(createActor(machine, { clock, input: { id: "m", sources, queue } }).start());
  const state = () => selectState(actor.getSnapshot());
  const context = () => actor.getSnapshot().context;
  const start = () => {
    actor.send({ type: "install.requested" });
    actor.send({ type: "slot.given" });
  };
  return { ...calls, actor, clock, slots, state, context, start };
}

const passing = { failure: "unreachable", detail: "cut", isPassing: true };

test("waits for its slot, downloads, verifies, unpacks, tests and places the model", async () => {
  const { actor, state, slots, download, verify, unpack, tryOut, place, context } = begin();
  expect(state()).toBeNull();
  actor.send({ type: "install.requested" });
  expect([state(), slots]).toEqual(["waiting", ["slot.requested"]]);
  actor.send({ type: "slot.given" });
  expect([state(), download.inputs()]).toEqual(["downloading", [{ id: "m", source: 0 }]]);
  await download.last().resolve();
  expect(state()).toBe("verifying");
  await verify.last().resolve("release");
  expect([state(), unpack.last().input.check]).toEqual(["unpacking", "release"]);
  // The files in the archive have hashes of their own.
  await unpack.last().resolve("pinned");
  expect(state()).toBe("trying");
  await tryOut.last().resolve();
  expect([state(), place.last().input]).toEqual(["trying", { id: "m", check: "pinned" }]);
  actor.send({ type: "cancel.requested" });
  await place.last().resolve();
  expect([state(), slots, context().failure]).toEqual(["installed", ["slot.requested", "slot.released"], null]);
});

test("retries a broken connection after 1, 2, 4 … 60 s, then the next source, then fails", async () => {
  const { clock, download, state, context, start, slots } = begin();
  start();
  const waits = [1, 2, 4, 8, 16, 32, 60];
  expect(waits).toHaveLength(maxAttempts - 1);
  for (const source of [0, 1]) {
    for (const seconds of waits) {
      await download.last().reject("", passing);
      const asked = download.asked.length;
      clock.increment(seconds * 1000 - 1);
      expect(download.asked).toHaveLength(asked);
      clock.increment(1);
      expect(download.asked).toHaveLength(asked + 1);
      expect(download.last().input.source).toBe(source);
    }
    await download.last().reject("", passing);
  }
  expect([state(), context().failure, context().detail, slots.at(-1)]).toEqual(["failed", "unreachable", "cut", "slot.released"]);
});

test("keeps retrying as long as bytes arrive, beginning with one second again", async () => {
  const { clock, download, state, start } = begin(1);
  start();
  for (let cut = 0; cut < 3 * maxAttempts; cut++) {
    await download.last().reject("", { ...passing, hasProgressed: true });
    clock.increment(1000);
  }
  expect([state(), download.asked.length]).toEqual(["downloading", 3 * maxAttempts + 1]);
});

test.each(["gone", "mismatch", "unreachable"] as const)(
  "takes the next source at once after %s, and the first source on the next request",
  async (failure) => {
    const { actor, download, state, start } = begin();
    start();
    await download.last().reject("", { failure, detail: "" });
    expect(download.last().input.source).toBe(1);
    await download.last().reject("", { failure, detail: "" });
    expect(state()).toBe("failed");
    actor.send({ type: "install.requested" });
    actor.send({ type: "slot.given" });
    expect(download.last().input.source).toBe(0);
  },
);

test.each(["verify", "unpack"] as const)(
  "takes the next source when %s finds a difference from the published file",
  async (at) => {
    const { download, verify, unpack, state, start } = begin();
    start();
    await download.last().resolve();
    if (at === "verify") await verify.last().reject("", { failure: "mismatch", detail: "" });
    else {
      await verify.last().resolve("size");
      await unpack.last().reject("", { failure: "damaged", detail: "" });
    }
    expect([state(), download.last().input.source]).toEqual(["downloading", 1]);
  },
);

test.each(["diskFull", "hostile"] as const)("fails at once with %s, because no other source would help", async (failure) => {
  const { download, state, context, start } = begin();
  start();
  await download.last().reject("", { failure, detail: "why" });
  expect([state(), context().failure, context().detail]).toEqual(["failed", failure, "why"]);
});

test("stops at a pause and resumes at the same source with a new slot", async () => {
  const { actor, download, state, slots, start } = begin();
  start();
  await download.last().reject("", { failure: "gone", detail: "" });
  const { signal } = download.last();
  actor.send({ type: "pause.requested" });
  expect([state(), signal.aborted, slots.at(-1)]).toEqual(["paused", true, "slot.released"]);
  actor.send({ type: "resume.requested" });
  actor.send({ type: "slot.given" });
  expect([state(), download.last().input.source]).toEqual(["downloading", 1]);
});

test("a canceled installation deletes all files before it starts again", async () => {
  const { actor, download, discard, state, start } = begin();
  start();
  actor.send({ type: "cancel.requested" });
  expect([state(), download.last().signal.aborted]).toEqual(["cancelled", true]);
  actor.send({ type: "install.requested" });
  expect(state()).toBe("cancelled");
  await discard.last().resolve();
  expect(state()).toBe("waiting");
});

test("does not download an imported file, and takes no other source when the file is wrong", async () => {
  const { actor, download, verify, state } = begin();
  actor.send({ type: "file.given" });
  actor.send({ type: "slot.given" });
  expect([state(), verify.last().input.isFromFile]).toEqual(["verifying", true]);
  await verify.last().reject("", { failure: "damaged", detail: "" });
  expect([state(), download.asked]).toEqual(["failed", []]);
});

test("reports an unexpected error as unknown, with its message", async () => {
  const { download, context, start } = begin();
  start();
  await download.last().rejectWith("no error");
  expect([context().failure, context().detail]).toEqual(["unknown", "no error"]);
});

test("stays canceled until the next request, which begins with the first source", async () => {
  const { actor, download, discard, state, context, slots, start } = begin();
  actor.send({ type: "file.given" });
  expect(context().isFromFile).toBe(true);
  actor.send({ type: "cancel.requested" });
  await discard.last().reject("busy");
  expect([state(), discard.inputs(), slots]).toEqual(["cancelled", [{ id: "m" }], ["slot.requested", "slot.released"]]);
  start();
  expect([state(), download.inputs()]).toEqual(["downloading", [{ id: "m", source: 0 }]]);
  await download.last().reject("", { failure: "gone", detail: "" });
  actor.send({ type: "cancel.requested" });
  actor.send({ type: "install.requested" });
  await discard.last().resolve();
  actor.send({ type: "slot.given" });
  expect(download.last().input.source).toBe(0);
  actor.send({ type: "cancel.requested" });
  await discard.last().resolve();
  expect([state(), context().isRequestedAgain, slots.length]).toEqual(["cancelled", false, 6]);
});

test.each(["verifying", "unpacking", "trying"])("the installation of a model can be canceled while it is %s", async (at) => {
  const { actor, download, verify, unpack, discard, state, start, tryOut } = begin();
  start();
  await download.last().resolve();
  if (at !== "verifying") await verify.last().resolve("size");
  if (at === "trying") await unpack.last().resolve("size");
  expect(state()).toBe(at);
  actor.send({ type: "cancel.requested" });
  expect([state(), discard.asked.length, tryOut.asked.length]).toEqual(["cancelled", 1, at === "trying" ? 1 : 0]);
});

test("resumes or cancels an installation that was paused or waiting at the server's start", () => {
  for (const type of ["resume.requested", "install.requested"] as const) {
    const { actor, state } = begin();
    actor.send({ type: "pause.requested" });
    expect(state()).toBe("paused");
    actor.send({ type });
    expect(state()).toBe("waiting");
    actor.send({ type: "pause.requested" });
    actor.send({ type: "cancel.requested" });
    expect(state()).toBe("cancelled");
  }
  const { actor, state } = begin();
  actor.send({ type: "install.requested" });
  actor.send({ type: "cancel.requested" });
  expect(state()).toBe("cancelled");
});

test("the installation of a model can be canceled after a failure", async () => {
  const { actor, download, state, start } = begin(1);
  start();
  await download.last().reject("", { failure: "hostile", detail: "" });
  actor.send({ type: "cancel.requested" });
  expect(state()).toBe("cancelled");
});

test("does not retry the same source after a failed verification, however many bytes arrived", async () => {
  const { download, state, start } = begin(1);
  start();
  await download.last().reject("", { ...passing, isPassing: false, hasProgressed: true });
  expect([state(), download.asked.length]).toEqual(["failed", 1]);
});

test("counts eight attempts per source, and starts the count again when bytes arrive", async () => {
  const { clock, download, context, start } = begin(2);
  start();
  const fail = async (more: object = {}) => {
    await download.last().reject("", { ...passing, ...more });
    clock.increment(60_000);
    return context().attempts;
  };
  expect([await fail(), await fail(), await fail({ hasProgressed: true }), await fail()]).toEqual([1, 2, 1, 2]);
  await download.last().reject("", { failure: "gone", detail: "" });
  expect([context().attempts, context().source, await fail()]).toEqual([0, 1, 1]);
});

test.each([
  ["mismatch", "gone", "mismatch"],
  ["damaged", "unreachable", "damaged"],
  ["mismatch", "damaged", "damaged"],
  ["unreachable", "gone", "gone"],
  ["gone", "diskFull", "diskFull"],
] as const)("after %s at the first source, then %s, reports %s until the next request", async (before, after, said) => {
  const { actor, download, context, state, start } = begin();
  start();
  await download.last().reject("", { failure: before, detail: before });
  await download.last().reject("", { failure: after, detail: after });
  expect([state(), context().failure, context().detail]).toEqual(["failed", said, said]);
  actor.send({ type: "install.requested" });
  expect([context().failure, context().detail, context().attempts, context().check]).toEqual([null, null, 0, null]);
});

test.each(["verify", "unpack", "tryOut", "place"] as const)(
  "ends with the reason when %s fails at its only source",
  async (at) => {
    const { download, verify, unpack, tryOut, place, state, context, slots, start } = begin(1);
    start();
    await download.last().resolve();
    if (at === "verify") await verify.last().reject("", { failure: "damaged", detail: "d" });
    else await verify.last().resolve("size");
    if (at === "unpack") await unpack.last().reject("", { failure: "damaged", detail: "d" });
    else if (at !== "verify") await unpack.last().resolve("size");
    if (at === "tryOut") await tryOut.last().reject("", { failure: "damaged", detail: "d" });
    if (at === "place") {
      await tryOut.last().resolve();
      await place.last().reject("", { failure: "damaged", detail: "d" });
    }
    expect([state(), context().failure, context().detail, slots.at(-1)]).toEqual(["failed", "damaged", "d", "slot.released"]);
  },
);

test.each([
  [null, "unknown", "null"],
  [{ failure: "lost", detail: 5 }, "unknown", "[object Object]"],
  [{ failure: "gone", isPassing: "yes", detail: "where?" }, "gone", "where?"],
])("the installation of a model classifies the error %j as %s", async (thrown, failure, detail) => {
  const { download, context, state, start } = begin(1);
  start();
  await download.last().rejectWith(thrown);
  expect([state(), context().failure, context().detail]).toEqual(["failed", failure, detail]);
});
