import { expect, test } from "vitest";
import { partsOf, passageOf } from "#src/features/transcriptions/passage.ts";

const shown = (texts: string[], term: string) =>
  passageOf(texts, term)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

test("without a search a row shows its beginning", () => {
  expect(shown(["Good morning.", "Buenos días."], "")).toBe("Good morning.");
  expect(passageOf([""], "")).toEqual([]);
  expect(shown(["a".repeat(1_000)], "")).toHaveLength(400);
});

test("the words of a search are marked wherever they stand, whatever their case", () => {
  expect(shown(["The harbour, our Harbour."], " harbour ")).toBe("The [harbour], our [Harbour].");
});

test("far into the text, a row's passage begins with a word just before what was found, so that a phone's line shows both", () => {
  const text = `${"so it goes ".repeat(50)}and the harbour was empty ${"again and again ".repeat(50)}`;
  const passage = shown([text], "harbour");
  expect(passage).toMatch(/^… and the \[harbour\] was empty/);
  expect(passage.indexOf("[harbour]")).toBeLessThan(20);
});

test("what only the translation has is shown from there", () => {
  expect(shown(["The harbour.", "El puerto."], "puerto")).toBe("El [puerto].");
  expect(shown(["The harbour.", "El puerto."], "title")).toBe("The harbour.");
});

test("the words of a search are marked as they are written, whatever their accents", () => {
  expect(shown(["From İstanbul to the Straße by the Café."], "istanbul")).toBe("From [İstanbul] to the Straße by the Café.");
  expect(shown(["From İstanbul to the Straße by the Café."], "strasse")).toBe("… to the [Straße] by the Café.");
  expect(shown(["From İstanbul to the Cafe\u0301, which"], "café")).toBe("… to the [Cafe\u0301], which");
  expect(partsOf("İstanbul harbour", "harbour").at(-1)).toEqual({ text: "harbour", isHit: true });
  const passage = shown([`${"Straße, Ærø, ½ café. ".repeat(50)}the harbour`, "", ""], "HARBOUR");
  expect(passage).toMatch(/^… .*the \[harbour\]$/);
});

test("a title that is made of the first words is not said again: the row goes on after it", () => {
  const text = "Good morning, this is the weekly meeting. We begin with the budget.";
  const after = (title: string, term = "") => passageOf([text], term, title).map((part) => part.text);
  expect(after("Good morning, this is the weekly meeting…")).toEqual(["… We begin with the budget."]);
  expect(after(text)).toEqual([]);
  // A name of one's own, or a word that the text happens to begin with, is something else.
  expect(after("Weekly")).toEqual([text]);
  expect(after("Good")).toEqual([text]);
  // What a title leaves out comes before it.
  const title = "This is the weekly meeting";
  expect(passageOf([text], "", title, "en").map((part) => part.text)).toEqual(["… We begin with the budget."]);
  expect(passageOf([text.toLowerCase()], "", title, "en").map((part) => part.text)).toEqual(["… we begin with the budget."]);
  // Where a search has found its words, they are shown, wherever they are.
  expect(after("Good morning, this is the weekly meeting…", "weekly").join("")).toBe(
    "… is the weekly meeting. We begin with the budget.",
  );
});
