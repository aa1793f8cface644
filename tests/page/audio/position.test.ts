import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPositionStore, indexAt } from "#src/audio/position.ts";

/** Animation frames that run when the test says so. */
class Screen {
  readonly #waiting = new Map<number, () => void>();
  #last = 0;
  readonly request = (draw: () => void): number => {
    this.#waiting.set(++this.#last, draw);
    return this.#last;
  };
  readonly cancel = (frame: number): void => {
    this.#waiting.delete(frame);
  };
  get waiting(): number {
    return this.#waiting.size;
  }
  draw(): void {
    const now = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const draw of now) draw();
  }
}

/** The part of an audio element that the position store uses. */
class FakeAudio extends EventTarget {
  currentTime = 0;
  paused = true;
  say(name: string): void {
    if (name === "play") this.paused = false;
    if (name === "pause") this.paused = true;
    this.dispatchEvent(new Event(name));
  }
}

let screen: Screen;
beforeEach(() => {
  screen = new Screen();
  vi.stubGlobal("requestAnimationFrame", screen.request);
  vi.stubGlobal("cancelAnimationFrame", screen.cancel);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function setUp() {
  const store = createPositionStore();
  const audio = new FakeAudio();
  const heard: number[] = [];
  const unsubscribe = store.subscribe(() => heard.push(store.get()));
  const leave = store.follow(audio);
  return { store, audio, heard, unsubscribe, leave };
}

describe("playback position", () => {
  test("the playback position is read at every frame during playback only", () => {
    const { audio, heard } = setUp();
    audio.say("play");
    for (const seconds of [0.1, 0.2]) {
      audio.currentTime = seconds;
      screen.draw();
    }
    expect(heard).toEqual([0.1, 0.2]);
    audio.say("pause");
    screen.draw();
    expect(screen.waiting).toBe(0);
  });

  test("the playback position is reported only when it changes", () => {
    const { audio, heard } = setUp();
    audio.say("play");
    screen.draw();
    audio.currentTime = 1;
    screen.draw();
    screen.draw();
    expect(heard).toEqual([1]);
  });

  test.each(["seeked", "seeking", "timeupdate", "pause", "ended"])(
    "the playback position is reported on %s without a frame",
    (name) => {
      const { store, audio } = setUp();
      audio.currentTime = 5;
      audio.say(name);
      expect(store.get()).toBe(5);
      expect(screen.waiting).toBe(0);
    },
  );

  test("waits for one frame, however fast the player is toggled", () => {
    const { audio } = setUp();
    for (let time = 0; time < 3; time++) {
      audio.say("play");
      audio.say("pause");
    }
    audio.say("play");
    screen.draw();
    expect(screen.waiting).toBe(1);
  });

  test("the playback position is followed until the subscription ends", () => {
    const { store, audio, heard, leave } = setUp();
    audio.say("play");
    leave();
    expect(screen.waiting).toBe(0);
    audio.currentTime = 9;
    audio.say("timeupdate");
    audio.say("play");
    expect([store.get(), heard, screen.waiting]).toEqual([0, [], 0]);
  });

  test("the playback position is not reported after unsubscribing", () => {
    const { audio, heard, unsubscribe } = setUp();
    unsubscribe();
    audio.currentTime = 9;
    audio.say("timeupdate");
    expect(heard).toEqual([]);
  });
});

describe("item at a playback position", () => {
  const items = [{ start: 0.5 }, { start: 1 }, { start: 1 }, { start: 2.25 }];

  test.each([
    [0, -1],
    [0.499, -1],
    [0.5, 0],
    [0.999, 0],
    [1, 2],
    [2.249, 2],
    [2.25, 3],
    [1e9, 3],
  ])("the playback position finds at %d s the item number %d", (seconds, index) => {
    expect(indexAt(items, seconds)).toBe(index);
  });

  test("the playback position finds no item in an empty list", () => {
    expect(indexAt([], 1)).toBe(-1);
  });

  test("finds the same as a linear search over a thousand items", () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ start: index / 7 }));
    for (let at = -0.5; at < 150; at += 0.37) {
      expect(indexAt(many, at)).toBe(many.filter(({ start }) => start <= at).length - 1);
    }
  });
});
