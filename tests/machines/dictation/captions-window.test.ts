import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type CaptionsWindowEvent,
  captionsWindowMachine,
  selectIsFloating,
  selectIsOverPage,
  selectIsWanted,
  selectLook,
  selectReason,
} from "#machines/dictation/captions-window/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp() {
  const openWindow = answering<void>();
  const window = talking<CaptionsWindowEvent>();
  const stored: number[] = [];
  const machine = captionsWindowMachine.provide({
    actors: { openWindow: openWindow.logic, window: window.logic },
    actions: { storeLook: ({ context }) => void stored.push(context.look.size) },
  });
  const input = { look: { size: 2, isHighContrast: false } };
  const actor = stopsAfterTest(createActor(machine, { input })).start();
  return { actor, openWindow, window, stored, get: () => actor.getSnapshot() };
}

async function toFloating() {
  const harness = setUp();
  harness.actor.send({ type: "open.requested" });
  await harness.openWindow.last().resolve();
  return harness;
}

describe("captions window", () => {
  test("shows captions in their own window until the page or the person closes it", async () => {
    const { actor, window, get } = await toFloating();
    expect([selectIsFloating(get()), window.isRunning()]).toEqual([true, true]);
    window.say({ type: "window.closed" });
    expect([selectIsWanted(get()), window.isRunning()]).toEqual([false, false]);
    actor.send({ type: "open.requested" });
    expect(selectIsWanted(get())).toBe(true);
  });

  test("opens one window, however often the button is pressed", async () => {
    const { actor, openWindow } = setUp();
    actor.send({ type: "open.requested" });
    actor.send({ type: "open.requested" });
    await openWindow.last().resolve();
    actor.send({ type: "open.requested" });
    expect(openWindow.asked).toHaveLength(1);
  });

  test("aborts the opening of a window that is no longer wanted", () => {
    const { actor, openWindow, get } = setUp();
    actor.send({ type: "open.requested" });
    actor.send({ type: "close.requested" });
    expect([openWindow.last().signal.aborted, selectIsWanted(get())]).toEqual([true, false]);
  });

  test("covers the page, with the reason, if the browser has no such window", async () => {
    const { actor, openWindow, get } = setUp();
    actor.send({ type: "open.requested" });
    await openWindow.last().reject("unsupported");
    expect([selectIsOverPage(get()), selectReason(get())]).toEqual([true, "lacking"]);
    actor.send({ type: "close.requested" });
    expect(selectIsWanted(get())).toBe(false);
  });

  test("covers the page if the window can't be opened, and tries again the next time", async () => {
    const { actor, openWindow, get } = setUp();
    actor.send({ type: "open.requested" });
    await openWindow.last().reject("NotAllowedError");
    expect([selectIsOverPage(get()), selectReason(get())]).toEqual([true, "refused"]);
    actor.send({ type: "close.requested" });
    actor.send({ type: "open.requested" });
    await openWindow.last().resolve();
    expect([selectIsFloating(get()), openWindow.asked.length]).toEqual([true, 2]);
  });

  test("limits the text size, and remembers size and contrast", () => {
    const { actor, stored, get } = setUp();
    actor.send({ type: "size.stepped", steps: -10 });
    actor.send({ type: "size.stepped", steps: 100 });
    actor.send({ type: "contrast.toggled" });
    expect(selectLook(get())).toEqual({ size: 6, isHighContrast: true });
    expect(stored).toEqual([0, 6, 6]);
  });

  test("closes the captions window when the page is left", async () => {
    const { actor, window } = await toFloating();
    actor.stop();
    expect(window.isRunning()).toBe(false);
  });
});
