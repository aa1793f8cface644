import { expect, onTestFinished, test } from "vitest";
import { page, recognize, userEvent } from "#tests/components/harness.ts";
import { button, converse, openTranslator, turnTexts, type } from "./harness-translator.ts";

const view = page.getByRole("dialog", { name: "Face to face" });
const half = (side: 0 | 1) => page.getByTestId(`half-${side}`);
const close = view.getByRole("button", { name: "Back to normal view" });
const speakHere = half(0).getByRole("button", { name: /^English/ });
const wordsIn = (side: 0 | 1): HTMLElement => {
  const found = half(side).element().querySelector("section");
  if (found === null) throw new Error("It has no words.");
  return found;
};
/** The distance in px from the visible part to the end of the words. */
const behind = (side: 0 | 1) => {
  const box = wordsIn(side);
  return box.scrollHeight - box.clientHeight - box.scrollTop;
};
const isInWindow = (box: Element): boolean => {
  const { top, bottom, left, right } = box.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
};

async function onPhone(width = 390, height = 844): Promise<void> {
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1280, 800));
}

test("opens the face-to-face view on a phone, with the far half upside down in its reader's language", async () => {
  await onPhone();
  converse();
  await openTranslator();
  await expect.element(half(1)).toHaveAttribute("data-texts", "de");
  await expect.element(half(1)).toHaveAttribute("lang", "de");
  await expect
    .element(half(1))
    .toMatchTextContent("Hier erscheint die Übersetzung.Dieser Server kann gesprochenes Deutsch nicht erkennen.");
  await expect.element(half(0)).toHaveAttribute("lang", "en");
  await expect.element(half(0)).toMatchTextContent("Your words appear here.");
  await expect.element(half(1)).toHaveStyle({ rotate: "180deg" });
  expect(half(1).element().getBoundingClientRect().top).toBeLessThan(half(0).element().getBoundingClientRect().top);
  await expect.poll(() => view.element().getBoundingClientRect().height).toBe(844);
  expect(view.getByRole("button").elements()).toHaveLength(2);
  for (const place of [half(0), half(1)]) await expect.poll(() => isInWindow(place.element())).toBe(true);
  await page.viewport(844, 390);
  for (const place of [half(0), half(1), speakHere, close]) await expect.poll(() => isInWindow(place.element())).toBe(true);
});

test("traps the keyboard in the face-to-face view, closes it with Escape, and remembers this", async () => {
  await onPhone();
  converse();
  await openTranslator();
  await expect.element(speakHere).toHaveFocus();
  await userEvent.tab();
  await expect.element(close).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(view).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  expect(localStorage.getItem("translator")).toContain('"opensFaceToFace":false');
  await button("Face to face").click();
  await close.click();
  await expect.element(button("Face to face")).toHaveFocus();
  await button("Face to face").click();
  expect(localStorage.getItem("translator")).toContain('"opensFaceToFace":true');
});

test("does not open the face-to-face view on a computer", async () => {
  converse();
  await openTranslator();
  await expect.element(button("Face to face")).toBeVisible();
  await expect.element(view).not.toBeInTheDocument();
});

test("shows the newest words in each half, with earlier words above", async () => {
  const realtime = recognize();
  converse();
  await openTranslator();
  for (const [index, text] of ["Guten Tag.", "Vielen Dank.", "Bis morgen."].entries()) {
    await type(text);
    await expect.poll(turnTexts).toHaveLength(index + 1);
  }
  await onPhone(390, 400);
  await button("Face to face").click();
  await speakHere.click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  realtime.final("Good morning to all of you who have come here today.");
  await expect.element(half(0)).toMatchTextContent("Good morning to all");
  await expect.element(half(1)).toMatchTextContent("GOOD MORNING TO ALL");
  await expect.element(half(1)).toMatchTextContent("Hört zu: Englisch");
  for (const side of [0, 1] as const) await expect.poll(() => behind(side)).toBeLessThan(2);
  await expect.element(half(1)).toMatchTextContent("Guten Tag.Vielen Dank.Bis morgen.");
  await expect.element(half(0)).toMatchTextContent("GUTEN TAG.VIELEN DANK.BIS MORGEN.");
  // Escape ends the recording before it closes the view.
  await userEvent.keyboard("{Escape}");
  await expect.poll(turnTexts).toHaveLength(4);
  await expect.element(view).toBeVisible();
  await expect.poll(() => behind(1)).toBeLessThan(2);
  wordsIn(1).scrollTo(0, 0);
  await expect.poll(() => half(1).getByRole("button").elements().length).toBe(1);
  await half(1).getByRole("button").click();
  await expect.poll(() => behind(1)).toBeLessThan(2);
});
