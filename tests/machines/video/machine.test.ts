import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { ExportContent } from "#contract/index.ts";
import { videoMachine } from "#machines/video/machine.ts";
import type { CaptionsChoice, Picture } from "#machines/video/rules.ts";
import {
  selectCaptions,
  selectHasNoCaptions,
  selectIsAbsent,
  selectIsBeingMade,
  selectIsHidden,
  selectIsThere,
  selectPicture,
} from "#machines/video/selectors.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp(input: { captions: CaptionsChoice; hidden: boolean } = { captions: "original", hidden: false }) {
  const poll = answering<Picture>();
  const showCaptions = answering<void, { captions: ExportContent }>();
  const removed: string[] = [];
  const machine = videoMachine.provide({
    actors: { poll: poll.logic, showCaptions: showCaptions.logic },
    actions: { removeCaptions: () => removed.push("removed") },
  });
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(machine, { clock, input }));
  const said: unknown[] = [];
  actor.on("*", (event) => said.push(event));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { poll, showCaptions, removed, clock, said, get, send: actor.send.bind(actor) };
}

const picture = (state: Picture["state"], parts: Partial<Picture> = {}): Picture => ({
  state,
  fraction: 0,
  problem: null,
  ...parts,
});

describe("picture of a video", () => {
  test("the picture of a video is polled until it is ready, then played", async () => {
    const { poll, clock, said, get } = setUp();
    await poll.last().resolve(picture("waiting"));
    expect([get(selectIsBeingMade), poll.asked.length]).toEqual([true, 1]);
    clock.increment(2_000);
    await poll.last().resolve(picture("making", { fraction: 0.4 }));
    expect(get(selectPicture).fraction).toBe(0.4);
    clock.increment(2_000);
    await poll.last().resolve(picture("ready", { fraction: 1 }));
    expect([get(selectIsThere), said]).toEqual([true, [{ type: "picture.found" }]]);
    clock.increment(60_000);
    expect(poll.asked.length).toBe(3);
  });

  test("shows why it failed, and is not polled if there is none", async () => {
    const failed = setUp();
    await failed.poll.last().resolve(picture("failed", { problem: "tooLarge" }));
    expect([failed.get(selectPicture).problem, failed.said]).toEqual(["tooLarge", []]);
    const none = setUp();
    await none.poll.last().resolve(picture("none"));
    expect(none.get(selectIsAbsent)).toBe(true);
    const gone = setUp();
    await gone.poll.last().reject("notFound");
    gone.clock.increment(60_000);
    expect([gone.get(selectIsAbsent), gone.poll.asked.length]).toEqual([true, 1]);
  });

  test("the picture of a video is polled again when the network is back", async () => {
    const { poll, clock, get } = setUp();
    await poll.last().reject("network");
    clock.increment(10_000);
    await poll.last().resolve(picture("original"));
    expect(get(selectIsThere)).toBe(true);
  });

  test("the picture of a video stays hidden for a person who hid it", () => {
    const { said, get, send } = setUp();
    send({ type: "picture.toggled" });
    expect([get(selectIsHidden), said]).toEqual([true, [{ type: "choices.changed", captions: "original", hidden: true }]]);
    send({ type: "picture.toggled" });
    expect(get(selectIsHidden)).toBe(false);
  });
});

describe("captions of a video", () => {
  test("captions of a video show the chosen captions, or none", async () => {
    const { showCaptions, removed, said, get, send } = setUp();
    expect(showCaptions.last().input).toEqual({ captions: "original" });
    send({ type: "captions.chosen", captions: "both" });
    expect([showCaptions.last().input, get(selectCaptions)]).toEqual([{ captions: "both" }, "both"]);
    await showCaptions.last().resolve();
    send({ type: "captions.chosen", captions: "none" });
    expect([removed.length, said.at(-1)]).toEqual([1, { type: "choices.changed", captions: "none", hidden: false }]);
    send({ type: "text.changed" });
    expect(showCaptions.asked.length).toBe(2);
  });

  test("a video's captions are not loaded while they are off", () => {
    expect(setUp({ captions: "none", hidden: false }).showCaptions.asked.length).toBe(0);
  });

  test("captions of a video follow the text once it has not changed for a moment", async () => {
    const { showCaptions, clock, send } = setUp();
    await showCaptions.last().resolve();
    send({ type: "text.changed" });
    clock.increment(900);
    send({ type: "text.changed" });
    clock.increment(900);
    expect(showCaptions.asked.length).toBe(1);
    clock.increment(100);
    expect(showCaptions.asked.length).toBe(2);
    // Changed while they are fetched.
    send({ type: "text.changed" });
    clock.increment(1_000);
    expect(showCaptions.asked.length).toBe(3);
  });

  test("captions of a video report a failed load, and retry on request or when the network is back", async () => {
    const { showCaptions, clock, get, send } = setUp();
    await showCaptions.last().reject("network");
    expect(get(selectHasNoCaptions)).toBe(false);
    clock.increment(10_000);
    await showCaptions.last().reject("internal");
    expect(get(selectHasNoCaptions)).toBe(true);
    send({ type: "retry.requested" });
    await showCaptions.last().resolve();
    expect([get(selectHasNoCaptions), showCaptions.asked.length]).toEqual([false, 3]);
  });
});
