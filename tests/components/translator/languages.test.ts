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

/** The text of the option that Enter would choose; "" when there is none. */
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

/** Scrolls the page until the field's lower edge is so many px above the window's. */
const leaveBelow = (px: number) => scrollBy(0, box(other).bottom - innerHeight + px);

test("languages are found by any of their names, those that work here first; what does not work says why", async () => {
  await open();
  await expect.element(other).toHaveValue("German");
  await other.click();
  await expect.poll(() => options.elements().length).toBeGreaterThan(100);
  expect(
    options
      .elements()
      .slice(0, 2)
      .map(({ textContent }) => textContent),
  ).toEqual(["English", "German DeutschNo speech recognition for it on this server: type instead."]);
  for (const [typed, found] of [
    ["español", "Spanish"],
    ["zul", "Zulu"],
    ["zh-TW", "Chinese"],
  ] as const) {
    await other.fill(typed);
    await expect.poll(() => options.elements()[0]?.textContent).toContain(found);
    await expect.element(options.first()).toHaveAttribute("aria-disabled", "true");
    await expect.element(options.first()).toMatchTextContent("This server has no engine that understands or translates it.");
    expect(active()).toBe("");
  }
  await other.fill("nonsense");
  await expect.element(page.getByText("No such language").first()).toBeVisible();
});

test("the language of the other side swaps the two, and so does the button; both are remembered", async () => {
  await open();
  await other.fill("engl");
  await expect.poll(active).toContain("English");
  await userEvent.keyboard("{Enter}");
  await expect.element(own).toHaveValue("German");
  await expect.element(other).toHaveValue("English");
  expect(localStorage.getItem("translator")).toContain('"sides":["de","en"]');
  await button("Swap the languages").click();
  await expect.element(own).toHaveValue("English");
  await expect.element(other).toHaveValue("German");
});

test("Home and End go to the first and the last that can be chosen, Shift with them marks the text", async () => {
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

test("Escape, Tab and a click elsewhere leave all as it was; Enter and the pointer choose", async () => {
  await open();
  for (const leave of ["{Escape}", "{Tab}", "elsewhere"]) {
    await other.fill("engl");
    await expect.element(list).toBeVisible();
    if (leave === "elsewhere") await page.getByRole("heading", { level: 1 }).click();
    else await userEvent.keyboard(leave);
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(other).toHaveValue("German");
  }
  // However it was come to, Enter takes the first that can be chosen.
  await other.click();
  await userEvent.keyboard("engl{ArrowDown}i");
  await expect.poll(active).toContain("English");
  await userEvent.keyboard("{Escape}");
  await other.click();
  await options.filter({ hasText: "English" }).first().click();
  await expect.element(other).toHaveValue("English");
  await expect.element(own).toHaveValue("German");
});

test("the list stands above the field where there is no room below, and follows the page", async () => {
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

test("on a phone the list leaves room for the keyboard, and is not under the bar with the menu", async () => {
  await open(390, 844);
  await page.getByRole("button", { name: "Back to the ordinary view" }).click();
  leaveBelow(600);
  await other.click();
  await expect.poll(() => isInWindow(list)).toBe(true);
  const before = box(list).height;
  // As the window gets when the keyboard comes up.
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
