import { describe, expect, test } from "vitest";
import { type PlayerEvent, selectHasFailed, selectIsPreparing, selectWantsToPlay } from "#machines/transcription/player.ts";
import { playing, ready, setUp } from "./harness-player.ts";

describe("failing player", () => {
  test.each<PlayerEvent>([{ type: "play.requested" }, { type: "seek.requested", seconds: 5, play: true }])(
    "shows that access was refused, and retries on $type",
    async (event) => {
      const player = setUp();
      player.send({ type: "play.requested" });
      await player.authorize.last().reject("network");
      expect([player.get(selectHasFailed), player.element.running()]).toEqual([true, 0]);
      player.send(event);
      expect(player.state()).toBe("authorizing");
      await ready(player);
      expect(player.commands().at(-1)).toEqual({ type: "play.requested" });
    },
  );

  test("requests access again after a media error, and continues at the same place", async () => {
    const player = await playing();
    player.send({ type: "seek.requested", seconds: 40 });
    player.element.say({ type: "element.failed", seconds: 61.5 });
    expect([player.state(), player.element.running()]).toEqual(["authorizing", 0]);
    player.commands();
    await ready(player);
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 61.5 }, { type: "play.requested" }]);
  });

  test("continues at the wanted place after an error during loading", async () => {
    const player = setUp();
    player.send({ type: "seek.requested", seconds: 12, play: true });
    await player.authorize.last().resolve();
    player.element.say({ type: "element.failed", seconds: 0 });
    await ready(player);
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 12 }, { type: "play.requested" }]);
  });

  test("shows a repeated error, even if the audio could be opened in between", async () => {
    const player = await playing();
    player.element.say({ type: "element.failed", seconds: 10 });
    await ready(player);
    player.element.say({ type: "element.playing" });
    player.element.say({ type: "element.failed", seconds: 10 });
    expect([player.get(selectHasFailed), player.authorize.asked.length, player.element.running()]).toEqual([true, 2, 0]);
  });

  test("the player tries again after each action of the user", async () => {
    const player = await playing();
    player.element.say({ type: "element.failed", seconds: 10 });
    await ready(player);
    player.element.say({ type: "element.playing" });
    player.send({ type: "seek.requested", seconds: 30 });
    player.element.say({ type: "element.failed", seconds: 30 });
    expect(player.state()).toBe("authorizing");
    await player.authorize.last().reject("network");
    player.send({ type: "play.requested" });
    await player.authorize.last().resolve();
    player.element.say({ type: "element.failed", seconds: 0 });
    expect(player.state()).toBe("authorizing");
  });
});

test("the player makes no more requests after it is stopped", async () => {
  const player = setUp();
  player.send({ type: "play.requested" });
  player.actor.stop();
  expect(player.authorize.last().signal.aborted).toBe(true);
  const other = await playing();
  other.actor.stop();
  expect(other.element.running()).toBe(0);
});

describe("player with media from elsewhere", () => {
  test("loads a picture before it is played, at its beginning", async () => {
    const player = setUp();
    player.send({ type: "source.changed", seconds: 0 });
    await ready(player);
    expect([player.state(), player.element.running()]).toEqual([{ open: "paused" }, 1]);
    expect(player.commands().map(({ type }) => type)).toEqual(["rate.requested", "seek.requested", "pause.requested"]);
  });

  test("continues at the same place, and plays if it played before", async () => {
    const player = await playing();
    player.send({ type: "source.changed", seconds: 12 });
    await ready(player);
    expect(player.commands()).toEqual([
      { type: "rate.requested", rate: 1 },
      { type: "seek.requested", seconds: 12 },
      { type: "play.requested" },
    ]);
  });

  test("the player retries when its audio fails to load", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await player.authorize.last().reject("notFound");
    player.send({ type: "source.changed", seconds: 0 });
    expect(player.get(selectIsPreparing)).toBe(true);
  });
});

describe("wish to play", () => {
  test.each(["authorizing", "loading"])("the wish to play is kept after a seek while the player is %s", async (phase) => {
    const player = setUp();
    player.send({ type: "seek.requested", seconds: 5 });
    expect(player.get(selectWantsToPlay)).toBe(false);
    if (phase === "loading") await player.authorize.last().resolve();
    player.send({ type: "play.requested" });
    expect(player.get(selectWantsToPlay)).toBe(true);
    if (phase === "authorizing") await player.authorize.last().resolve();
    player.element.say({ type: "element.ready", durationSeconds: 90 });
    expect(player.commands().at(-1)).toEqual({ type: "play.requested" });
  });

  test("the player wants to play at once, also when it repeats the last second, until a pause", async () => {
    const player = await playing();
    player.send({ type: "rewinding.chosen", rewinds: true });
    player.send({ type: "pause.requested" });
    expect(player.get(selectWantsToPlay)).toBe(false);
    player.element.say({ type: "element.paused" });
    player.send({ type: "play.requested" });
    expect(player.get(selectWantsToPlay)).toBe(true);
  });

  test("the player continues at the chosen place after a failure", async () => {
    for (const [event, seconds, last] of [
      [{ type: "play.requested" }, 12, "play.requested"],
      [{ type: "seek.requested", seconds: 7 }, 7, "pause.requested"],
      [{ type: "skip.requested", seconds: -3 }, 9, "pause.requested"],
    ] as const) {
      const player = setUp();
      player.send({ type: "seek.requested", seconds: 12 });
      await player.authorize.last().reject("network");
      player.send(event);
      await ready(player);
      expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds }, { type: last }]);
    }
  });
});

test("the player skips from the beginning before the first playback", async () => {
  const player = setUp();
  player.send({ type: "skip.requested", seconds: 3 });
  await ready(player);
  expect(player.commands()[1]).toEqual({ type: "seek.requested", seconds: 3 });
});

test("continues at the last seek when the media fails before reaching it", async () => {
  const player = await playing();
  player.send({ type: "seek.requested", seconds: 40 });
  player.commands();
  player.element.say({ type: "element.failed", seconds: 0 });
  await ready(player);
  expect(player.commands()[1]).toEqual({ type: "seek.requested", seconds: 40 });
});

test("continues where it was after two errors in its first second", async () => {
  const player = await playing();
  player.element.say({ type: "element.failed", seconds: 0.5 });
  await ready(player);
  expect(player.commands()[1]).toEqual({ type: "seek.requested", seconds: 0.5 });
  player.element.say({ type: "element.failed", seconds: 33 });
  expect(player.get(selectHasFailed)).toBe(true);
  player.send({ type: "play.requested" });
  await ready(player);
  expect(player.commands()[1]).toEqual({ type: "seek.requested", seconds: 33 });
});

describe("new attempt after each action of the person", () => {
  const failed = { type: "element.failed", seconds: 10 } as const;
  /** It has failed once; it plays, or is paused. */
  async function tried(state: "playing" | "paused", rewinds = false) {
    const player = await playing();
    player.send({ type: "rewinding.chosen", rewinds });
    player.element.say(failed);
    await ready(player);
    player.element.say({ type: "element.playing" });
    if (state === "paused") player.element.say({ type: "element.paused" });
    return player;
  }

  test.each<[PlayerEvent["type"], "playing" | "paused", boolean, PlayerEvent]>([
    ["play.requested", "paused", false, { type: "play.requested" }],
    ["play.requested", "paused", true, { type: "play.requested" }],
    ["seek.requested", "paused", false, { type: "seek.requested", seconds: 3 }],
    ["skip.requested", "paused", false, { type: "skip.requested", seconds: 3 }],
    ["skip.requested", "playing", false, { type: "skip.requested", seconds: 3 }],
  ])("retries on %s while it is %s (rewinding: %s)", async (_, state, rewinds, event) => {
    const player = await tried(state, rewinds);
    player.send(event);
    player.element.say(failed);
    expect(player.state()).toBe("authorizing");
  });

  test.each<PlayerEvent>([
    { type: "source.changed", seconds: 1 },
    { type: "play.requested" },
    { type: "seek.requested", seconds: 3 },
    { type: "skip.requested", seconds: 3 },
  ])("the player retries on $type after a final failure", async (event) => {
    const player = await tried("playing");
    player.element.say(failed);
    expect(player.get(selectHasFailed)).toBe(true);
    player.send(event);
    await ready(player);
    player.element.say(failed);
    expect(player.state()).toBe("authorizing");
  });
});
