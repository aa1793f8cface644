import { describe, expect, test } from "vitest";
import { selectDuration, selectIsPlaying, selectIsPreparing, selectRate } from "#machines/transcription/player.ts";
import { playing, ready, setUp } from "./harness-player.ts";

describe("start of the player", () => {
  test("the player fetches nothing until the user presses Play", () => {
    const player = setUp();
    player.send({ type: "rate.changed", rate: 1.5 });
    player.send({ type: "pause.requested" });
    expect([player.state(), player.authorize.asked.length, player.element.running()]).toEqual(["idle", 0, 0]);
  });

  test("the player requests access, then the audio, then plays", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    expect([player.state(), player.get(selectIsPreparing), player.element.running()]).toEqual(["authorizing", true, 0]);
    await player.authorize.last().resolve();
    expect([player.state(), player.get(selectIsPreparing)]).toEqual([{ open: "loading" }, true]);
    player.element.say({ type: "element.ready", durationSeconds: 90 });
    expect(player.commands()).toEqual([
      { type: "rate.requested", rate: 1 },
      { type: "seek.requested", seconds: 0 },
      { type: "play.requested" },
    ]);
    expect(player.get(selectIsPlaying)).toBe(false);
    player.element.say({ type: "element.playing" });
    expect([player.get(selectIsPlaying), player.get(selectIsPreparing), player.get(selectDuration)]).toEqual([true, false, 90]);
  });

  test("the player starts at a clicked word", async () => {
    const player = setUp();
    player.send({ type: "seek.requested", seconds: 12, play: true });
    await ready(player);
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 12 }, { type: "play.requested" }]);
  });

  test("does not play after a move of the slider alone", async () => {
    const player = setUp();
    player.send({ type: "seek.requested", seconds: 12 });
    await ready(player);
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 12 }, { type: "pause.requested" }]);
  });

  test.each(["authorizing", "loading"])("seeks later after a seek while %s, and keeps the wish to play", async (phase) => {
    const player = setUp();
    player.send({ type: "play.requested" });
    if (phase === "loading") await player.authorize.last().resolve();
    player.send({ type: "seek.requested", seconds: 7 });
    player.send({ type: "seek.requested", seconds: 33 });
    player.send({ type: "rate.changed", rate: 2 });
    if (phase === "authorizing") await player.authorize.last().resolve();
    expect(player.commands().filter(({ type }) => type === "seek.requested")).toEqual([]);
    player.element.say({ type: "element.ready", durationSeconds: 90 });
    expect(player.commands()).toEqual([
      { type: "rate.requested", rate: 2 },
      { type: "seek.requested", seconds: 33 },
      { type: "play.requested" },
    ]);
    expect(player.authorize.asked).toHaveLength(1);
  });

  test.each(["authorizing", "loading"])("drops the wish to play at a pause while %s, and renews it at play", async (phase) => {
    const player = setUp();
    player.send({ type: "play.requested" });
    if (phase === "loading") await player.authorize.last().resolve();
    player.send({ type: "pause.requested" });
    player.send({ type: "play.requested" });
    player.send({ type: "pause.requested" });
    if (phase === "authorizing") await player.authorize.last().resolve();
    player.element.say({ type: "element.ready", durationSeconds: 90 });
    expect(player.commands().at(-1)).toEqual({ type: "pause.requested" });
  });

  test("the player shows no duration while it is unknown", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await ready(player, Number.POSITIVE_INFINITY);
    expect(player.get(selectDuration)).toBeNull();
  });
});

describe("playback", () => {
  test("sends pause and play to the media element, and shows its state", async () => {
    const player = await playing();
    player.send({ type: "pause.requested" });
    expect([player.commands(), player.get(selectIsPlaying)]).toEqual([[{ type: "pause.requested" }], true]);
    player.element.say({ type: "element.paused" });
    expect(player.get(selectIsPlaying)).toBe(false);
    player.send({ type: "play.requested" });
    expect([player.commands(), player.get(selectIsPlaying)]).toEqual([[{ type: "play.requested" }], false]);
    player.element.say({ type: "element.playing" });
    expect(player.get(selectIsPlaying)).toBe(true);
  });

  test("the player continues playing after a seek", async () => {
    const player = await playing();
    player.send({ type: "seek.requested", seconds: 40 });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 40 }]);
  });

  test("plays after a seek while paused only if requested", async () => {
    const player = await playing();
    player.element.say({ type: "element.paused" });
    player.send({ type: "seek.requested", seconds: 40 });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 40 }, { type: "pause.requested" }]);
    player.send({ type: "seek.requested", seconds: 41, play: true });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 41 }, { type: "play.requested" }]);
  });

  test("keeps the wish to play when a seek comes before the first sound", async () => {
    const player = await playing();
    player.element.say({ type: "element.paused" });
    player.send({ type: "play.requested" });
    player.commands();
    player.send({ type: "seek.requested", seconds: 40 });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 40 }, { type: "play.requested" }]);
  });

  test("drops the wish to play when the browser refused to play", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await ready(player);
    player.element.say({ type: "element.paused" });
    player.commands();
    player.send({ type: "seek.requested", seconds: 5 });
    expect(player.commands().at(-1)).toEqual({ type: "pause.requested" });
  });

  test("restores the stored speed and sends speed changes while playing", async () => {
    const player = setUp();
    player.send({ type: "rate.changed", rate: 0.5 });
    player.send({ type: "play.requested" });
    await ready(player);
    expect(player.commands()[0]).toEqual({ type: "rate.requested", rate: 0.5 });
    player.element.say({ type: "element.playing" });
    player.send({ type: "rate.changed", rate: 1.3 });
    expect([player.commands().at(-1), player.get(selectRate)]).toEqual([{ type: "rate.requested", rate: 1.3 }, 1.3]);
  });
});

describe("transcriber's controls", () => {
  test("the player skips back and forward from the current place", async () => {
    const player = await playing();
    player.send({ type: "skip.requested", seconds: -3 });
    expect(player.commands()).toEqual([{ type: "skip.requested", seconds: -3 }]);
    player.element.say({ type: "element.paused" });
    player.send({ type: "skip.requested", seconds: 3 });
    expect(player.commands()).toEqual([{ type: "skip.requested", seconds: 3 }]);
  });

  test("moves the starting place before the audio is loaded, without playing", async () => {
    const player = setUp();
    player.send({ type: "skip.requested", seconds: 3 });
    player.send({ type: "skip.requested", seconds: 3 });
    player.send({ type: "skip.requested", seconds: -9 });
    await player.authorize.last().resolve();
    player.send({ type: "skip.requested", seconds: 5 });
    player.element.say({ type: "element.ready", durationSeconds: 90 });
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 5 }, { type: "pause.requested" }]);
  });

  test("the player retries after a failure", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await player.authorize.last().reject("network");
    player.send({ type: "skip.requested", seconds: 3 });
    expect(player.state()).toBe("authorizing");
  });

  test("changes the speed in exact steps of 0.1 from 0.5 to 2", async () => {
    const player = setUp();
    const step = (steps: number) => {
      player.send({ type: "rate.stepped", steps });
      return player.get(selectRate);
    };
    expect([step(1), step(1), step(1), step(-4)]).toEqual([1.1, 1.2, 1.3, 0.9]);
    player.send({ type: "play.requested" });
    await ready(player);
    expect(player.commands()[0]).toEqual({ type: "rate.requested", rate: 0.9 });
    expect([step(-9), player.commands()]).toEqual([0.5, [{ type: "rate.requested", rate: 0.5 }]]);
    expect([step(99), player.commands()]).toEqual([2, [{ type: "rate.requested", rate: 2 }]]);
  });

  describe("repetition of the last second after a pause", () => {
    const interrupted = async (rewinds = true) => {
      const player = await playing();
      player.send({ type: "rewinding.chosen", rewinds });
      player.send({ type: "pause.requested" });
      player.element.say({ type: "element.paused" });
      player.commands();
      return player;
    };
    const resumed = (player: ReturnType<typeof setUp>) => {
      player.send({ type: "play.requested" });
      return player.commands();
    };
    const play = { type: "play.requested" } as const;
    const back = { type: "skip.requested", seconds: -1 } as const;

    test("the player repeats the last second once after a pause", async () => {
      const player = await interrupted();
      expect([resumed(player), resumed(player)]).toEqual([[back, play], [play]]);
    });

    test("the player does not repeat the last second after a seek", async () => {
      for (const event of [
        { type: "seek.requested", seconds: 7 },
        { type: "skip.requested", seconds: -3 },
      ] as const) {
        const player = await interrupted();
        player.send(event);
        player.commands();
        expect(resumed(player)).toEqual([play]);
      }
    });

    test("the player does not repeat the last second at the beginning or behind the end", async () => {
      const player = await playing();
      player.send({ type: "rewinding.chosen", rewinds: true });
      player.element.say({ type: "element.paused", ended: true });
      expect(resumed(player)).toEqual([play]);
    });

    test("the player does not repeat the last second when the setting is off", async () => {
      expect(resumed(await interrupted(false))).toEqual([play]);
    });
  });
});
