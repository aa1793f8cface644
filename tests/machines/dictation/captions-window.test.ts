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

describe("captions that stay in sight", () => {
  test("are in a window of their own until it is closed, whoever closes it", async () => {
    const { actor, window, get } = await toFloating();
    expect([selectIsFloating(get()), window.isRunning()]).toEqual([true, true]);
    window.say({ type: "window.closed" });
    expect([selectIsWanted(get()), window.isRunning()]).toEqual([false, false]);
    actor.send({ type: "open.requested" });
    expect(selectIsWanted(get())).toBe(true);
  });

  test("open once, however often that is pressed", async () => {
    const { actor, openWindow } = setUp();
    actor.send({ type: "open.requested" });
    actor.send({ type: "open.requested" });
    await openWindow.last().resolve();
    actor.send({ type: "open.requested" });
    expect(openWindow.asked).toHaveLength(1);
  });

  test("that are not wanted any more while the window opens: it is told so", () => {
    const { actor, openWindow, get } = setUp();
    actor.send({ type: "open.requested" });
    actor.send({ type: "close.requested" });
    expect([openWindow.last().signal.aborted, selectIsWanted(get())]).toEqual([true, false]);
  });

  test("cover the page where the browser has no such window, and it is said why", async () => {
    const { actor, openWindow, get } = setUp();
    actor.send({ type: "open.requested" });
    await openWindow.last().reject("unsupported");
    expect([selectIsOverPage(get()), selectReason(get())]).toEqual([true, "lacking"]);
    actor.send({ type: "close.requested" });
    expect(selectIsWanted(get())).toBe(false);
  });

  test("cover the page where it opens none, too; the next time it is tried again", async () => {
    const { actor, openWindow, get } = setUp();
    actor.send({ type: "open.requested" });
    await openWindow.last().reject("NotAllowedError");
    expect([selectIsOverPage(get()), selectReason(get())]).toEqual([true, "refused"]);
    actor.send({ type: "close.requested" });
    actor.send({ type: "open.requested" });
    await openWindow.last().resolve();
    expect([selectIsFloating(get()), openWindow.asked.length]).toEqual([true, 2]);
  });

  test("have letters within limits, and colours, which are remembered", () => {
    const { actor, stored, get } = setUp();
    actor.send({ type: "size.stepped", steps: -10 });
    actor.send({ type: "size.stepped", steps: 100 });
    actor.send({ type: "contrast.toggled" });
    expect(selectLook(get())).toEqual({ size: 6, isHighContrast: true });
    expect(stored).toEqual([0, 6, 6]);
  });

  test("go with the page's machine", async () => {
    const { actor, window } = await toFloating();
    actor.stop();
    expect(window.isRunning()).toBe(false);
  });
});
