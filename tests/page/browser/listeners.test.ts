import { expect, test } from "vitest";
import { createListeners } from "#src/browser/listeners.ts";

test("notifies each listener in order until it unsubscribes", () => {
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

test("notifies a listener added during an event of the next one", () => {
  const { subscribe, emit } = createListeners();
  const heard: string[] = [];
  const end = subscribe(() => {
    heard.push("first");
    end();
    subscribe(() => heard.push("late"));
  });
  emit();
  expect(heard).toEqual(["first"]);
  emit();
  expect(heard).toEqual(["first", "late"]);
});
