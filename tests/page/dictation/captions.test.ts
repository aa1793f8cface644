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

describe("live captions", () => {
  test("live captions replace interim text by the final one", () => {
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

  test("live captions keep unchanged lines when all come again after a reconnection", () => {
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

  test("live captions begin empty for another recording", () => {
    const captions = createCaptions();
    captions.begin(undefined);
    captions.addFinal(0, segment(0, "one"));
    captions.stop();
    expect(texts(captions)).toEqual(["one"]);
    captions.begin(undefined);
    expect(captions.get()).toEqual({ lines: [], partial: null });
  });
});

describe("translations of captions", () => {
  test("translations of captions are requested one after another as sentences arrive", async () => {
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

  test("translations of captions continue after a failure, which is retried once before saving", async () => {
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

  test("translations of captions are omitted after a second failure, so that saving goes on", async () => {
    const captions = createCaptions();
    captions.begin(() => Promise.reject(new Error("no engine")));
    captions.addFinal(0, segment(0, "one"));
    await captions.translated();
    expect(translations(captions)).toEqual(["failed"]);
  });

  test("translations of captions are not requested again after a reconnection", async () => {
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

  test("translations of captions are dropped when their text was replaced", async () => {
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

  test("translations of captions are aborted for another recording", async () => {
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
