import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  type LiveText,
  liveTranslationMachine,
  selectDraft,
  selectIsSettled,
  selectTexts,
} from "#machines/dictation/live-translation/machine.ts";
import { agreed, nextPhrase, withPhrase } from "#machines/dictation/live-translation/rules.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp() {
  const clock = new SimulatedClock();
  const translate = answering<string, { text: string }>();
  const machine = liveTranslationMachine.provide({ actors: { translate: translate.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const texts = (...now: string[]) => actor.send({ type: "texts.changed", texts: now.map((text) => ({ text })) });
  const hear = (...said: string[]) => {
    for (const text of said) actor.send({ type: "interim.recognized", text });
  };
  const asked = () => translate.inputs().map(({ text }) => text);
  const shown = () => selectTexts(actor.getSnapshot()).map(({ translation, draft, status }) => translation ?? draft ?? status);
  const draft = () => selectDraft(actor.getSnapshot());
  return { actor, clock, translate, texts, hear, asked, shown, draft };
}

const hello = "hello my dear friend";
const more = `${hello} how are you today`;

describe("live translation of an utterance", () => {
  test("translates the stable beginning of an utterance before it ends, and again when it grows", async () => {
    const { clock, translate, hear, asked, draft } = setUp();
    hear("hello my", "hello my dear", hello);
    expect(asked()).toEqual(["hello my dear"]);
    await translate.last().resolve("hola mi querido");
    expect(draft()).toBe("hola mi querido");
    hear(more, `${more} my`);
    // One call per second.
    expect(asked()).toHaveLength(1);
    clock.increment(1_000);
    expect(asked().at(-1)).toBe(more);
    await translate.last().resolve("hola mi querido amigo cómo estás hoy");
    expect(draft()).toBe("hola mi querido amigo cómo estás hoy");
  });

  test("treats the last words as stable when nothing has changed for 0.8 s", () => {
    const { clock, hear, asked } = setUp();
    hear("good morning");
    expect(asked()).toEqual([]);
    clock.increment(800);
    expect(asked()).toEqual(["good morning"]);
  });

  test("aborts the translation of a phrase that turned out to be wrong", () => {
    const { clock, translate, hear, asked } = setUp();
    hear(hello, hello);
    const first = translate.last();
    hear("yellow submarines are there", "yellow submarines are there");
    expect(first.signal.aborted).toBe(true);
    expect(asked()).toEqual([hello]);
    clock.increment(1_000);
    expect(asked()).toEqual([hello, "yellow submarines are there"]);
  });

  test("translates the final text first, and shows the earlier translation until then", async () => {
    const { translate, texts, hear, asked, shown, draft } = setUp();
    hear(hello, hello);
    await translate.last().resolve("hola");
    hear(more, more);
    texts(more);
    expect(asked()).toEqual([hello, more]);
    expect([shown(), draft()]).toEqual([["hola"], ""]);
    await translate.last().resolve("hola, ¿cómo estás?");
    expect(shown()).toEqual(["hola, ¿cómo estás?"]);
  });

  test("aborts a phrase's translation for its final text", () => {
    const { translate, texts, hear, asked } = setUp();
    hear(hello, hello);
    const phrase = translate.last();
    texts(hello);
    expect(phrase.signal.aborted).toBe(true);
    expect(asked()).toEqual([hello, hello]);
  });

  test("retries failing phrases ever more slowly, without a message", async () => {
    const { clock, translate, hear, asked, shown } = setUp();
    hear(hello, hello);
    for (const [wait, calls] of [
      [2_000, 2],
      [4_000, 3],
      [8_000, 4],
      [16_000, 5],
      [16_000, 6],
    ] as const) {
      await translate.last().reject("network");
      clock.increment(wait - 1);
      expect(asked()).toHaveLength(calls - 1);
      clock.increment(1);
      expect(asked()).toHaveLength(calls);
    }
    expect(shown()).toEqual([]);
  });

  test("continues a phrase's translation when the same texts come again", async () => {
    const { actor, translate, texts, hear, shown, draft } = setUp();
    texts("one");
    await translate.last().resolve("uno");
    hear(hello, hello);
    const phrase = translate.last();
    actor.send({ type: "texts.changed", texts: [{ text: "ONE", translation: "UNO" }] });
    expect([phrase.signal.aborted, shown()]).toEqual([false, ["UNO"]]);
    await phrase.resolve("hola");
    expect(draft()).toBe("hola");
    actor.send({ type: "texts.changed", texts: [{ text: "One", translation: "Uno" }] });
    expect([shown(), translate.asked.length]).toEqual([["Uno"], 2]);
  });

  test("retries a failed phrase a second after the next successful one", async () => {
    const { clock, translate, hear, asked } = setUp();
    hear(hello, hello);
    await translate.last().reject("network");
    clock.increment(2_000);
    await translate.last().resolve("hola");
    hear(more, `${more} my`);
    clock.increment(999);
    expect(asked()).toHaveLength(2);
    clock.increment(1);
    expect(asked()).toHaveLength(3);
  });

  test("leaves nothing of noise that was taken for words", async () => {
    const { translate, hear, draft } = setUp();
    hear(hello, hello);
    await translate.last().resolve("hola");
    hear("");
    expect(draft()).toBe("");
  });
});

describe("translation of final texts", () => {
  test("translates final texts one at a time, in order, and retries failed ones on request", async () => {
    const { actor, translate, texts, asked, shown } = setUp();
    texts("one", "two");
    expect(asked()).toEqual(["one"]);
    await translate.last().reject("network");
    expect(asked()).toEqual(["one", "two"]);
    // In order: a running request is not repeated.
    actor.send({ type: "retry.requested" });
    await translate.last().resolve("dos");
    expect(asked()).toEqual(["one", "two", "one"]);
    await translate.last().resolve("uno");
    expect(shown()).toEqual(["uno", "dos"]);
    expect(selectIsSettled(actor.getSnapshot())).toBe(true);
  });

  test("aborts replaced texts, and skips unchanged and translated ones", async () => {
    const { actor, translate, texts, asked, shown } = setUp();
    texts("won");
    const first = translate.last();
    texts("one");
    expect(first.signal.aborted).toBe(true);
    await translate.last().resolve("uno");
    actor.send({ type: "texts.changed", texts: [{ text: "one" }, { text: "two", translation: "dos" }] });
    expect(asked()).toEqual(["won", "one"]);
    expect(shown()).toEqual(["uno", "dos"]);
    const kept: readonly LiveText[] = selectTexts(actor.getSnapshot());
    expect(kept.map(({ status }) => status)).toEqual(["done", "done"]);
    texts();
    expect(shown()).toEqual([]);
  });

  test("keeps the earlier partial translation of a text that fails", async () => {
    const { translate, texts, hear, shown } = setUp();
    hear(hello, hello);
    await translate.last().resolve("hola");
    texts(hello);
    await translate.last().reject("network");
    expect(shown()).toEqual(["hola"]);
  });
});

describe("phrases of live translation", () => {
  const phrase = (text: string, phrases: Parameters<typeof nextPhrase>[1] = [], stable = text) =>
    nextPhrase({ text, stable }, phrases)?.source ?? null;

  test("takes the whole words that two results have in common", () => {
    expect(agreed("hello my fri", "hello my friend")).toBe("hello my");
    expect(agreed("hello", "yellow")).toBe("");
    expect(agreed("", "hello")).toBe("");
    expect(agreed("今日は良い", "今日は良く")).toBe("今日は良");
  });

  test("begins a phrase with three words, a clause or the whole text", () => {
    expect(phrase("one two three", [], "one two")).toBeNull();
    expect(phrase("one two three four", [], "one two three")).toBe("one two three");
    expect(phrase("yes, and", [], "yes,")).toBe("yes,");
    expect(phrase("good morning")).toBe("good morning");
    expect(phrase("今日は良い", [], "今日は")).toBe("今日は");
    expect(phrase("one two", [{ upTo: "one two", source: "one two", isClosed: false, translation: "uno dos" }])).toBeNull();
  });

  test("closes the beginning of a long utterance at a clause or a word, and translates the rest separately", () => {
    const clause = "we went down to the old harbour in the early morning when nobody was awake yet,";
    const long = `${clause} ${"and then the boats came in one after the other ".repeat(2)}`;
    const first = nextPhrase({ text: long, stable: long }, []);
    expect(first).toEqual({ upTo: clause, source: clause, isClosed: true });
    const phrases = first === null ? [] : withPhrase([], { ...first, translation: "…" });
    expect(phrase(long, phrases)?.startsWith("and then the boats")).toBe(true);
    const plain = "word ".repeat(40).trim();
    expect(phrase(plain)).toBe("word ".repeat(31).trim());
    expect(phrase("字".repeat(200))).toHaveLength(159);
    expect(phrase("x".repeat(200))).toHaveLength(160);
    // With another beginning, the earlier translation is invalid.
    expect(phrase("no, they left", phrases)).toBe("no, they left");
  });
});
