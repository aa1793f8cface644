import { describe, expect, test } from "vitest";
import { selectDuration, selectIsPlaying, selectIsPreparing, selectRate } from "#machines/transcription/player.ts";
import { playing, ready, setUp } from "./harness-player.ts";

describe("beginning", () => {
  test("nothing is fetched until somebody wants to listen", () => {
    const player = setUp();
    player.send({ type: "rate.changed", rate: 1.5 });
    player.send({ type: "pause.requested" });
    expect([player.state(), player.authorize.asked.length, player.element.running()]).toEqual(["idle", 0, 0]);
  });

  test("asks for the right to hear, then for the audio, then plays", async () => {
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

  test("a word that was clicked is where it begins", async () => {
    const player = setUp();
    player.send({ type: "seek.requested", seconds: 12, play: true });
    await ready(player);
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 12 }, { type: "play.requested" }]);
  });

  test("the slider alone does not begin to play", async () => {
    const player = setUp();
    player.send({ type: "seek.requested", seconds: 12 });
    await ready(player);
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 12 }, { type: "pause.requested" }]);
  });

  test.each(["authorizing", "loading"])("a seek while %s goes there later, and keeps the wish to play", async (phase) => {
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

  test.each(["authorizing", "loading"])("a pause while %s takes the wish to play back, play renews it", async (phase) => {
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

  test("a length that nobody knows is none", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await ready(player, Number.POSITIVE_INFINITY);
    expect(player.get(selectDuration)).toBeNull();
  });
});

describe("listening", () => {
  test("pause and play go to the element; what is shown is what the element says", async () => {
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

  test("a seek while it plays goes on playing", async () => {
    const player = await playing();
    player.send({ type: "seek.requested", seconds: 40 });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 40 }]);
  });

  test("a seek while it stands plays only when that is wanted", async () => {
    const player = await playing();
    player.element.say({ type: "element.paused" });
    player.send({ type: "seek.requested", seconds: 40 });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 40 }, { type: "pause.requested" }]);
    player.send({ type: "seek.requested", seconds: 41, play: true });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 41 }, { type: "play.requested" }]);
  });

  test("a seek between play and the first sound does not take play back", async () => {
    const player = await playing();
    player.element.say({ type: "element.paused" });
    player.send({ type: "play.requested" });
    player.commands();
    player.send({ type: "seek.requested", seconds: 40 });
    expect(player.commands()).toEqual([{ type: "seek.requested", seconds: 40 }, { type: "play.requested" }]);
  });

  test("a play that the browser refused is not wished for later", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await ready(player);
    player.element.say({ type: "element.paused" });
    player.commands();
    player.send({ type: "seek.requested", seconds: 5 });
    expect(player.commands().at(-1)).toEqual({ type: "pause.requested" });
  });

  test("the speed is kept from before and sent while it plays", async () => {
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

describe("as transcribers know it", () => {
  test("back and forward go from where it is", async () => {
    const player = await playing();
    player.send({ type: "skip.requested", seconds: -3 });
    expect(player.commands()).toEqual([{ type: "skip.requested", seconds: -3 }]);
    player.element.say({ type: "element.paused" });
    player.send({ type: "skip.requested", seconds: 3 });
    expect(player.commands()).toEqual([{ type: "skip.requested", seconds: 3 }]);
  });

  test("before it is there, they change where it will begin, and do not begin to play", async () => {
    const player = setUp();
    player.send({ type: "skip.requested", seconds: 3 });
    player.send({ type: "skip.requested", seconds: 3 });
    player.send({ type: "skip.requested", seconds: -9 });
    await player.authorize.last().resolve();
    player.send({ type: "skip.requested", seconds: 5 });
    player.element.say({ type: "element.ready", durationSeconds: 90 });
    expect(player.commands().slice(1)).toEqual([{ type: "seek.requested", seconds: 5 }, { type: "pause.requested" }]);
  });

  test("after a failure they try again", async () => {
    const player = setUp();
    player.send({ type: "play.requested" });
    await player.authorize.last().reject("network");
    player.send({ type: "skip.requested", seconds: 3 });
    expect(player.state()).toBe("authorizing");
  });

  test("the speed goes in steps of 0.1 from 0.5 to 2, exactly", async () => {
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

  describe("who wants to hear the last second again after a pause", () => {
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

    test("does, once", async () => {
      const player = await interrupted();
      expect([resumed(player), resumed(player)]).toEqual([[back, play], [play]]);
    });

    test("does not where another place was chosen meanwhile", async () => {
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

    test("does not when it begins, nor behind the end", async () => {
      const player = await playing();
      player.send({ type: "rewinding.chosen", rewinds: true });
      player.element.say({ type: "element.paused", ended: true });
      expect(resumed(player)).toEqual([play]);
    });

    test("others do not", async () => {
      expect(resumed(await interrupted(false))).toEqual([play]);
    });
  });
});
