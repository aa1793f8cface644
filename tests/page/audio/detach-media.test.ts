import { beforeEach, describe, expect, test } from "vitest";
import { detachMedia, opening, type SoundElement } from "#src/audio/detach-media.ts";

/** An audio element that is loading and records the calls on it. */
class FakeElement extends EventTarget implements SoundElement {
  src = "blob:a";
  error: object | null = null;
  readyState = 0;
  readonly acts: string[] = [];
  pause() {
    this.acts.push("pause");
  }
  removeAttribute(name: string) {
    this.src = "";
    this.acts.push(`no ${name}`);
  }
  load() {
    this.acts.push("load");
  }
}

/** Waits until all pending microtasks are done. */
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

let element: FakeElement;
beforeEach(() => {
  element = new FakeElement();
});

describe("detached audio element", () => {
  test.each(["loadedmetadata", "error", "stalled"])(
    "the detached audio element is silent at once, and released after %s",
    async (event) => {
      const left = detachMedia(element);
      await later();
      expect(element.acts).toEqual(["pause"]);
      element.dispatchEvent(new Event(event));
      await left;
      expect(element.acts).toEqual(["pause", "no src", "load"]);
    },
  );

  test.each([
    ["is open", { readyState: 1 }],
    ["could not be opened", { error: {} }],
    ["was never there", { src: "" }],
  ])("the detached audio element is released at once when it %s", async (_, state) => {
    Object.assign(element, state);
    await detachMedia(element);
    expect(element.acts).toEqual(["pause", "no src", "load"]);
  });

  test("accepts another source only after its release", async () => {
    void detachMedia(element);
    const next = opening(element)?.then(() => element.src);
    element.dispatchEvent(new Event("loadedmetadata"));
    expect(await next).toBe("");
    expect(opening(element)).toBeNull();
  });
});
