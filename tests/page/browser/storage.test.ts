import { expect, test } from "vitest";
import { createStorage } from "#src/browser/storage.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

test("the browser storage writes, reads, lists and removes values", () => {
  const storage = createStorage(new FakeOrigin().openTab());
  expect(storage.write("a", "1")).toBe(true);
  expect(storage.read("a")).toBe("1");
  expect(storage.keys()).toEqual(["a"]);
  storage.remove("a");
  expect(storage.read("a")).toBeNull();
});

test("a full browser storage is reported and keeps its contents", () => {
  const origin = new FakeOrigin();
  const storage = createStorage(origin.openTab());
  storage.write("a", "1");
  origin.full = true;
  expect(storage.write("a", "2")).toBe(false);
  expect(storage.read("a")).toBe("1");
});

test("a forbidden browser storage counts as empty", () => {
  class ForbiddenTab extends EventTarget {
    get localStorage(): Storage {
      throw new DOMException("denied", "SecurityError");
    }
  }
  const storage = createStorage(new ForbiddenTab());
  expect(storage.read("a")).toBeNull();
  expect(storage.write("a", "1")).toBe(false);
  expect(storage.keys()).toEqual([]);
  expect(() => storage.remove("a")).not.toThrow();
});

// SPEC 4 Refresh: "Clearing tokens broadcasts a storage-change event"
test("notifies a key's listener of changes in this and other tabs, until it unsubscribes", () => {
  const origin = new FakeOrigin();
  const here = createStorage(origin.openTab());
  const thereTab = origin.openTab();
  const there = createStorage(thereTab);
  let heard = 0;
  const stop = here.subscribe("a", () => heard++);
  here.write("a", "1");
  expect(heard).toBe(1);
  there.write("a", "2");
  expect(heard).toBe(2);
  there.write("b", "2");
  expect(heard).toBe(2);
  here.remove("a");
  here.remove("a");
  expect(heard).toBe(3);
  thereTab.localStorage.clear();
  expect(heard).toBe(4);
  stop();
  here.write("a", "3");
  expect(heard).toBe(4);
});
