import { expect, test } from "vitest";
import { createListeners } from "#src/browser/listeners.ts";

test("each hears what is emitted, in order, until its own end", () => {
  const { subscribe, emit, count } = createListeners<[word: string]>();
  const heard: string[] = [];
  const listener = (word: string) => void heard.push(word);
  const endFirst = subscribe(listener);
  subscribe(listener);
  subscribe((word) => heard.push(word.toUpperCase()));
  emit("a");
  endFirst();
  endFirst();
  emit("b");
  expect(heard).toEqual(["a", "a", "A", "b", "B"]);
  expect(count()).toBe(2);
});

test("one that goes while it is emitted does not hear it any more, one that comes not yet", () => {
  const { subscribe, emit } = createListeners();
  const heard: string[] = [];
  subscribe(() => {
    heard.push("first");
    endSecond();
    subscribe(() => heard.push("late"));
  });
  const endSecond = subscribe(() => heard.push("second"));
  emit();
  expect(heard).toEqual(["first"]);
});
