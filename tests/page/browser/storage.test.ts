import { expect, test } from "vitest";
import { createStorage } from "#src/browser/storage.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

test("what is written is read, listed and removed", () => {
  const storage = createStorage(new FakeOrigin().openTab());
  expect(storage.write("a", "1")).toBe(true);
  expect(storage.read("a")).toBe("1");
  expect(storage.keys()).toEqual(["a"]);
  storage.remove("a");
  expect(storage.read("a")).toBeNull();
});

test("a full storage says so, and keeps what it had", () => {
  const origin = new FakeOrigin();
  const storage = createStorage(origin.openTab());
  storage.write("a", "1");
  origin.full = true;
  expect(storage.write("a", "2")).toBe(false);
  expect(storage.read("a")).toBe("1");
});

test("a forbidden storage is an empty one", () => {
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
test("a key's listener hears this tab, other tabs and a clearing, of its own key only, until it ends", () => {
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
