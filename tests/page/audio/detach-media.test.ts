import { beforeEach, describe, expect, test } from "vitest";
import { detachMedia, opening, type SoundElement } from "#src/audio/detach-media.ts";

/** An audio element that is opening its sound, and notes what is done to it. */
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

/** Everything that waits for nothing has been done. */
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

let element: FakeElement;
beforeEach(() => {
  element = new FakeElement();
});

describe("a sound that is let go", () => {
  test.each(["loadedmetadata", "error", "stalled"])("while it is opened is silent at once, and gone after %s", async (event) => {
    const left = detachMedia(element);
    await later();
    expect(element.acts).toEqual(["pause"]);
    element.dispatchEvent(new Event(event));
    await left;
    expect(element.acts).toEqual(["pause", "no src", "load"]);
  });

  test.each([
    ["is open", { readyState: 1 }],
    ["could not be opened", { error: {} }],
    ["was never there", { src: "" }],
  ])("is gone at once when it %s", async (_, state) => {
    Object.assign(element, state);
    await detachMedia(element);
    expect(element.acts).toEqual(["pause", "no src", "load"]);
  });

  test("leaves an element that can have another sound only then", async () => {
    void detachMedia(element);
    const next = opening(element)?.then(() => element.src);
    element.dispatchEvent(new Event("loadedmetadata"));
    expect(await next).toBe("");
    expect(opening(element)).toBeNull();
  });
});
