import { describe, expect, test } from "vitest";
import type { Translate } from "#src/audio/captions.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";
import { segment, until } from "./harness.ts";

const texts = (captions: ReturnType<typeof createCaptions>) => captions.get().lines.map(({ text }) => text);
const translations = (captions: ReturnType<typeof createCaptions>) =>
  captions.get().lines.map(({ translation, translating }) => translation ?? translating);

/** A translator that answers when the test says so. */
function held() {
  const asked: { text: string; signal: AbortSignal; answer(text: string): void; fail(): void }[] = [];
  const translate: Translate = (text, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    asked.push({ text, signal, answer: resolve, fail: () => reject(new Error("no")) });
    return promise;
  };
  const next = async (index: number) => {
    await until(() => asked.length > index);
    const ask = asked[index];
    if (ask === undefined) throw new Error("nobody asked");
    return ask;
  };
  return { translate, asked, next };
}

describe("captions", () => {
  test("a final takes the place of what was interim", () => {
    const captions = createCaptions();
    let emitted = 0;
    captions.subscribe(() => {
      emitted += 1;
    });
    captions.begin(undefined);
    captions.setPartial({ text: "good mor", start: 0.5 });
    expect(captions.get().partial).toEqual({ text: "good mor", start: 0.5 });
    captions.addFinal(0, segment(0.5, "Good morning"));
    expect(captions.get().partial).toBeNull();
    expect(captions.get().lines).toEqual([{ ...segment(0.5, "Good morning"), translating: "none" }]);
    captions.setPartial({ text: "", start: 2 });
    expect(captions.get().partial).toBeNull();
    expect(emitted).toBe(3);
  });

  test("all of them come again after a reconnection, the same lines stay the same", () => {
    const captions = createCaptions();
    captions.begin(undefined);
    captions.addFinal(0, segment(0, "one"));
    captions.setPartial({ text: "tw", start: 1 });
    captions.replace([segment(0, "one"), segment(1, "two")]);
    expect(texts(captions)).toEqual(["one", "two"]);
    expect(captions.get().partial).toBeNull();
    captions.addFinal(1, segment(1, "two again"));
    expect(texts(captions)).toEqual(["one", "two again"]);
  });

  test("another recording begins without a word", () => {
    const captions = createCaptions();
    captions.begin(undefined);
    captions.addFinal(0, segment(0, "one"));
    captions.stop();
    expect(texts(captions)).toEqual(["one"]);
    captions.begin(undefined);
    expect(captions.get()).toEqual({ lines: [], partial: null });
  });
});

describe("translations", () => {
  test("are asked for one after the other, in order, as the sentences come", async () => {
    const captions = createCaptions();
    const { translate, asked, next } = held();
    captions.begin(translate);
    captions.addFinal(0, segment(0, "one"));
    captions.addFinal(1, segment(1, "two"));
    expect(asked.map(({ text }) => text)).toEqual(["one"]);
    (await next(0)).answer("uno");
    (await next(1)).answer("dos");
    await captions.translated();
    expect(translations(captions)).toEqual(["uno", "dos"]);
    expect(asked).toHaveLength(2);
  });

  test("one that fails does not hold up the next, and is tried once more before saving", async () => {
    const captions = createCaptions();
    const { translate, next, asked } = held();
    captions.begin(translate);
    captions.addFinal(0, segment(0, "one"));
    captions.addFinal(1, segment(1, "two"));
    (await next(0)).fail();
    (await next(1)).answer("dos");
    await until(() => translations(captions)[1] === "dos");
    expect(translations(captions)).toEqual(["failed", "dos"]);
    const whole = captions.translated();
    (await next(2)).answer("uno");
    await whole;
    expect(translations(captions)).toEqual(["uno", "dos"]);
    expect(asked.map(({ text }) => text)).toEqual(["one", "two", "one"]);
  });

  test("that fail again are left out: saving does not wait for ever", async () => {
    const captions = createCaptions();
    captions.begin(() => Promise.reject(new Error("no engine")));
    captions.addFinal(0, segment(0, "one"));
    await captions.translated();
    expect(translations(captions)).toEqual(["failed"]);
  });

  test("are not asked for again after a reconnection", async () => {
    const captions = createCaptions();
    const { translate, next, asked } = held();
    captions.begin(translate);
    captions.addFinal(0, segment(0, "one"));
    (await next(0)).answer("uno");
    await captions.translated();
    captions.replace([segment(0, "one"), segment(1, "two")]);
    (await next(1)).answer("dos");
    await captions.translated();
    expect(translations(captions)).toEqual(["uno", "dos"]);
    expect(asked).toHaveLength(2);
  });

  test("of a text that was replaced meanwhile belong to nobody", async () => {
    const captions = createCaptions();
    const { translate, next } = held();
    captions.begin(translate);
    captions.addFinal(0, segment(0, "won"));
    const first = await next(0);
    captions.replace([segment(0, "one")]);
    first.answer("ganó");
    (await next(1)).answer("uno");
    await captions.translated();
    expect(translations(captions)).toEqual(["uno"]);
  });

  test("of another recording are called off", async () => {
    const captions = createCaptions();
    const { translate, next } = held();
    captions.begin(translate);
    captions.addFinal(0, segment(0, "one"));
    const first = await next(0);
    captions.begin(undefined);
    captions.addFinal(0, segment(0, "one"));
    expect(first.signal.aborted).toBe(true);
    first.answer("uno");
    await captions.translated();
    expect(translations(captions)).toEqual(["none"]);
  });
});
