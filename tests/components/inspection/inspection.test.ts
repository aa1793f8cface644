import { afterEach, expect, test } from "vitest";
import { openPage, page, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { inspectedPage } from "./inspected.ts";

let inspected = inspectedPage();
afterEach(() => {
  inspected.leave();
  inspected = inspectedPage();
});

const machines = page.getByRole("navigation", { name: "Live machines" });
const lamp = page.getByRole("region", { name: "lamp", exact: true });
const chart = lamp.getByRole("region", { name: "Statechart of lamp" });
const log = lamp.getByRole("region", { name: "Events so far" });
const box = (path: string) => document.querySelector(`section[aria-label=lamp] [data-state="${path}"]`);
const attribute = (path: string, name: string) => box(path)?.getAttribute(name) ?? "no box";
const button = (name: string) => lamp.getByRole("button", { name, exact: true });

/** Opens the page of machines with a lamp that was pressed once. */
async function open(): Promise<void> {
  await openPage("/debug/machines", { as: "visitor" });
  await expect.poll(() => inspected.heard).toContainEqual(expect.objectContaining({ kind: "watching" }));
  inspected.make("1", "lamp", "off");
  inspected.happen("1", { type: "press", replay: 7 }, { on: "dim" }, { taken: ["off|press/0"] });
  await machines.getByRole("button", { name: "lamp" }).click();
  await expect.poll(() => attribute("on.dim", "data-active")).toBe("true");
}

test("lists live machines with their current state until they end", async () => {
  await open();
  const entry = machines.getByRole("button", { name: "lamp" });
  await expect.element(entry).toHaveTextContent("lampon: dim");
  await expect.element(entry).toHaveAttribute("aria-current", "true");
  inspected.happen("1", { type: "xstate.error.actor.0.lamp.on" }, "broken", {
    status: "done",
    taken: ["on|xstate.error.actor.0.lamp.on/0"],
  });
  await expect.element(entry).toHaveTextContent("lampended: broken");
  await expect.poll(() => textsOf(log.getByRole("button"))[0]).toMatch(/^heat failed .* · broken$/);
  inspected.leave();
  await expect.element(entry).not.toBeInTheDocument();
});

test("marks the active states and the last transitions in the statechart", async () => {
  await open();
  expect(attribute("on", "data-active")).toBe("true");
  expect(attribute("off", "data-active")).toBe("false");
  expect(attribute("broken", "data-final")).toBe("true");
  const taken = () =>
    [...document.querySelectorAll("section[aria-label=lamp] [data-tone][data-taken=true]")].map((row) => row.textContent);
  expect(taken().join(" ")).toContain("press");
  expect(document.querySelectorAll("section[aria-label=lamp] path[data-taken=true]").length).toBeGreaterThan(0);
  for (const text of [
    "on entry: glow",
    "on exit: fade",
    "runs heat",
    "after 1000 ms",
    "heat succeeded",
    "heat failed",
    "immediately",
  ])
    await expect.element(chart.getByText(text).first()).toBeInTheDocument();
  // The first step has no transition before it.
  await button("First").click();
  await expect.poll(taken).toEqual([]);
});

test("steps back and forth through a machine's events, and sends an event again", async () => {
  await open();
  inspected.happen("1", { type: "press", replay: 8 }, "off", { context: { presses: 2 }, taken: ["on|press/0"] });
  const step = lamp.getByRole("status");
  await expect.element(step).toHaveTextContent("Step 3 of 3: press → off");
  await expect.element(lamp.getByText('"presses": 2')).toBeVisible();
  await button("Back").click();
  await expect.element(step).toHaveTextContent("Step 2 of 3: press → on: dim");
  await expect.element(lamp.getByText('"presses": 1')).toBeVisible();
  await button("First").click();
  await button("Back").click();
  await expect.element(step).toHaveTextContent("Step 1 of 3: created → off");
  await expect.element(button("Resend this event")).not.toBeInTheDocument();
  await button("Forward").click();
  await expect.element(step).toHaveTextContent("Step 2 of 3: press → on: dim");
  await button("Resend this event").click();
  await expect.poll(() => inspected.heard).toContainEqual({ kind: "replay", sessionId: inspected.sessionId("1"), number: 7 });
  // An earlier step stays selected while new events arrive; the latest step follows them.
  inspected.happen("1", { type: "press" }, { on: "dim" });
  await expect.element(step).toHaveTextContent("Step 2 of 4: press → on: dim");
  await button("Latest").click();
  await expect.element(step).toHaveTextContent("Step 4 of 4: press → on: dim");
  inspected.happen("1", { type: "press" }, "off");
  await expect.element(step).toHaveTextContent("Step 5 of 5: press → off");
  await expect
    .poll(() => textsOf(log.getByRole("button")).map((text) => text.replace(/ \d+:\d\d:\d\d.* ·/, " TIME ·")))
    .toEqual(["press TIME · off", "press TIME · on: dim", "press TIME · off", "press TIME · on: dim", "created TIME · off"]);
  await log.getByRole("button").last().click();
  await expect.element(step).toHaveTextContent("Step 1 of 5: created → off");
  await expect.element(log.getByRole("button").last()).toHaveAttribute("aria-current", "true");
  await expect.element(log.getByRole("button").first()).not.toHaveAttribute("aria-current");
});

test("opens and folds states by hand, all at once, and by search", async () => {
  await open();
  await button("First").click();
  await expect.poll(() => attribute("on.dim", "data-active")).toBe("no box");
  expect(attribute("on", "data-open")).toBe("false");
  await chart.getByRole("button", { name: "on", exact: true }).click();
  await expect.poll(() => attribute("on.dim", "data-active")).toBe("false");
  await button("Only active states").click();
  await expect.poll(() => attribute("on", "data-open")).toBe("false");
  await button("Open all").click();
  await expect.poll(() => attribute("on.bright", "data-active")).toBe("false");
  await button("Only active states").click();
  const search = lamp.getByRole("searchbox", { name: "Search states and events" });
  await search.fill("BRIGHT");
  await expect.poll(() => attribute("on.bright", "data-found")).toBe("true");
  expect(attribute("off", "data-found")).toBe("false");
  expect(textsOf(log.getByRole("button"))).toHaveLength(2);
  await search.fill("press");
  await expect.poll(() => textsOf(log.getByRole("button"))).toHaveLength(1);
  await search.fill("");
  await expect.poll(() => attribute("on", "data-open")).toBe("false");
  await expect.poll(() => document.querySelectorAll("section[aria-label=lamp] [data-found=true]")).toHaveLength(0);
});

test("shows the statechart as a list for users who can't see the diagram", async () => {
  await open();
  await expect.element(button("Diagram")).toHaveAttribute("aria-pressed", "true");
  await button("List").click();
  await expect.element(button("List")).toHaveAttribute("aria-pressed", "true");
  await expect.element(button("Diagram")).toHaveAttribute("aria-pressed", "false");
  const list = lamp.getByRole("region", { name: "List" });
  expect(textsOf(list)).toEqual([
    "off press [isPlugged] / count → on on active on entry: glow on exit: fade runs heat press → off heat succeeded → off heat failed → broken dim active after 1000 ms → bright bright immediately [isDark] → dim broken",
  ]);
  await button("Diagram").click();
  await expect.element(chart).toBeVisible();
});

test("moves and zooms the statechart with the keyboard, buttons, the wheel and dragging", async () => {
  await open();
  const area = chart.element();
  const drawing = () => {
    const match = /translate\((-?[\d.]+)px, (-?[\d.]+)px\) scale\(([\d.]+)\)/.exec(
      area.querySelector<HTMLElement>(":scope > div")?.style.transform ?? "",
    );
    const [x = 0, y = 0, scale = 0] = (match ?? []).slice(1).map(Number);
    return { x, y, scale };
  };
  await expect.element(chart).toHaveAttribute("data-fitted", "true");
  const whole = drawing();
  const { width, height } = area.getBoundingClientRect();
  expect(whole.scale).toBeLessThanOrEqual(1.15);
  chart.element().focus();
  await userEvent.keyboard("{+}");
  await expect.element(chart).toHaveAttribute("data-fitted", "false");
  expect(drawing().scale).toBeCloseTo(whole.scale * 1.25, 5);
  // The middle of the area stays in place.
  expect(drawing().x).toBeCloseTo(area.clientWidth / 2 - (area.clientWidth / 2 - whole.x) * 1.25, 2);
  await userEvent.keyboard("{-}");
  expect(drawing().scale).toBeCloseTo(whole.scale, 5);
  await userEvent.keyboard("{ArrowRight}{ArrowDown}");
  expect([drawing().x, drawing().y]).toEqual([expect.closeTo(whole.x - 60, 1), expect.closeTo(whole.y - 60, 1)]);
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowUp}{ArrowUp}");
  expect([drawing().x, drawing().y]).toEqual([expect.closeTo(whole.x + 60, 1), expect.closeTo(whole.y + 60, 1)]);
  await userEvent.keyboard("{0}");
  expect(drawing()).toEqual(whole);
  await button("Zoom in").click();
  expect(drawing().scale).toBeCloseTo(whole.scale * 1.25, 5);
  await button("Zoom out").click();
  await button("Zoom out").click();
  expect(drawing().scale).toBeCloseTo(whole.scale / 1.25, 5);
  for (let times = 0; times < 12; times++) area.dispatchEvent(new KeyboardEvent("keydown", { key: "=", bubbles: true }));
  await expect.poll(() => drawing().scale).toBe(3);
  for (let times = 0; times < 20; times++) area.dispatchEvent(new KeyboardEvent("keydown", { key: "-", bubbles: true }));
  await expect.poll(() => drawing().scale).toBe(0.15);
  await button("Fit to window").click();
  expect(drawing()).toEqual(whole);
  const wheel = (init: WheelEventInit) => {
    const event = new WheelEvent("wheel", { bubbles: true, cancelable: true, ...init });
    area.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(wheel({ deltaY: 40 })).toBe(false);
  expect(wheel({ deltaY: -30, ctrlKey: true })).toBe(true);
  await expect.poll(() => drawing().scale).toBeCloseTo(whole.scale * Math.exp(0.1), 5);
  const zoomed = drawing();
  expect(wheel({ deltaX: 10, deltaY: 20 })).toBe(true);
  await expect.poll(() => drawing().x).toBeCloseTo(zoomed.x - 10, 2);
  expect(drawing().y).toBeCloseTo(zoomed.y - 20, 2);
  await button("Fit to window").click();
  const { left, top } = area.getBoundingClientRect();
  const pointer = (type: string, x: number, y: number, more: PointerEventInit = {}) =>
    area.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: left + x, clientY: top + y, ...more }));
  area.setPointerCapture = () => {};
  pointer("pointermove", 5, 5);
  pointer("pointerdown", 5, 5, { button: 2 });
  pointer("pointermove", 50, 50);
  expect(drawing()).toEqual(whole);
  pointer("pointerdown", width - 5, height - 5);
  pointer("pointermove", width - 25, height - 35);
  await expect.poll(() => drawing().x).toBeCloseTo(whole.x - 20, 1);
  expect(drawing().y).toBeCloseTo(whole.y - 30, 1);
  pointer("pointerup", width - 25, height - 35);
  pointer("pointermove", 0, 0);
  await expect.poll(() => drawing().y).toBeCloseTo(whole.y - 30, 1);
});
