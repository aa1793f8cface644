import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "#tests/components/harness.ts";
import { button, converse, openTranslator } from "./harness-translator.ts";

const own = page.getByRole("combobox", { name: "You speak" });
const other = page.getByRole("combobox", { name: "The other person speaks" });
const list = page.getByRole("listbox");
const options = list.getByRole("option");
const input = (): HTMLInputElement => {
  const found = other.element();
  if (!(found instanceof HTMLInputElement)) throw new Error("It is no input.");
  return found;
};

/** The text of the option that Enter would choose, or "" without one. */
const active = () => document.getElementById(other.element().getAttribute("aria-activedescendant") ?? "")?.textContent ?? "";
const box = (place: typeof list) => place.element().getBoundingClientRect();
const isInWindow = (place: typeof list) => {
  const { top, bottom, left, right } = box(place);
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
};

async function open(width = 1280, height = 800): Promise<void> {
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1280, 800));
  converse();
  await openTranslator();
}

/** Scrolls the page until the field's lower edge is this many px above the window's. */
const leaveBelow = (px: number) => scrollBy(0, box(other).bottom - innerHeight + px);

test("finds languages by any name, the available ones first, and says why others are unavailable", async () => {
  await open();
  await expect.element(other).toHaveValue("German");
  await other.click();
  await expect.poll(() => options.elements().length).toBeGreaterThan(100);
  expect(
    options
      .elements()
      .slice(0, 2)
      .map(({ textContent }) => textContent),
  ).toEqual(["English", "German DeutschThis server can’t recognize this language. Type instead."]);
  for (const [typed, found] of [
    ["español", "Spanish"],
    ["zul", "Zulu"],
    ["zh-TW", "Chinese"],
  ] as const) {
    await other.fill(typed);
    await expect.poll(() => options.elements()[0]?.textContent).toContain(found);
    await expect.element(options.first()).toHaveAttribute("aria-disabled", "true");
    await expect.element(options.first()).toMatchTextContent("This server can neither recognize nor translate this language.");
    expect(active()).toBe("");
  }
  await other.fill("nonsense");
  await expect.element(page.getByText("No matching language").first()).toBeVisible();
});

test("swaps the languages when the user chooses the other side's language or presses the button", async () => {
  await open();
  await other.fill("engl");
  await expect.poll(active).toContain("English");
  await userEvent.keyboard("{Enter}");
  await expect.element(own).toHaveValue("German");
  await expect.element(other).toHaveValue("English");
  expect(localStorage.getItem("translator")).toContain('"sides":["de","en"]');
  await button("Swap languages").click();
  await expect.element(own).toHaveValue("English");
  await expect.element(other).toHaveValue("German");
});

test("moves to the first or last available language with Home and End, and selects text with Shift", async () => {
  await open();
  await other.click();
  await expect.poll(active).toContain("German");
  await userEvent.keyboard("{Home}");
  await expect.poll(active).toContain("English");
  await userEvent.keyboard("{End}");
  await expect.poll(active).toContain("German");
  await other.fill("engl");
  await userEvent.keyboard("{Shift>}{Home}{/Shift}");
  await expect.poll(() => [input().selectionStart, input().selectionEnd]).toEqual([0, 4]);
});

test("keeps the language on Escape or Tab, and changes it on Enter or a click", async () => {
  await open();
  for (const leave of ["{Escape}", "{Tab}", "elsewhere"]) {
    await other.fill("engl");
    await expect.element(list).toBeVisible();
    if (leave === "elsewhere") await page.getByRole("heading", { level: 1 }).click();
    else await userEvent.keyboard(leave);
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(other).toHaveValue("German");
  }
  // Enter takes the first available option, however the user reached it.
  await other.click();
  await userEvent.keyboard("engl{ArrowDown}i");
  await expect.poll(active).toContain("English");
  await userEvent.keyboard("{Escape}");
  await other.click();
  await options.filter({ hasText: "English" }).first().click();
  await expect.element(other).toHaveValue("English");
  await expect.element(own).toHaveValue("German");
});

test("opens the list above the field when there is no room below, and follows the page's scrolling", async () => {
  await open(1200, 700);
  await other.click();
  await expect.poll(() => box(list).top).toBeGreaterThanOrEqual(box(other).bottom);
  await userEvent.keyboard("{Escape}");
  await page.viewport(1200, 480);
  leaveBelow(20);
  await other.click();
  const name = page.getByText("The other person speaks").first();
  await expect.poll(() => box(name).top - box(list).bottom).toBeGreaterThanOrEqual(0);
  await expect.poll(() => isInWindow(list)).toBe(true);
  leaveBelow(380);
  await expect.poll(() => box(list).top - box(other).bottom).toBeGreaterThanOrEqual(0);
  await expect.poll(() => isInWindow(list)).toBe(true);
});

test("keeps the list between the phone's keyboard and the bar with the menu", async () => {
  await open(390, 844);
  await page.getByRole("button", { name: "Back to normal view" }).click();
  leaveBelow(600);
  await other.click();
  await expect.poll(() => isInWindow(list)).toBe(true);
  const before = box(list).height;
  // The size of the window with an open keyboard.
  await page.viewport(390, 420);
  await expect.poll(() => isInWindow(list)).toBe(true);
  expect(box(list).height).toBeLessThan(before);
  const chosen = list.getByRole("option", { selected: true });
  await expect.poll(() => box(chosen).bottom <= box(list).bottom && box(chosen).top >= box(list).top).toBe(true);
  await userEvent.keyboard("{Escape}");
  leaveBelow(20);
  await other.click();
  await expect.poll(() => isInWindow(list)).toBe(true);
  await expect.poll(() => list.element().contains(document.elementFromPoint(box(list).left + 20, box(list).top + 5))).toBe(true);
});
