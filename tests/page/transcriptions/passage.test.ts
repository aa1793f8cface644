import { expect, test } from "vitest";
import { partsOf, passageOf } from "#src/features/transcriptions/passage.ts";

const shown = (texts: string[], term: string) =>
  passageOf(texts, term)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

test("a row of the history shows its beginning without a search", () => {
  expect(shown(["Good morning.", "Buenos días."], "")).toBe("Good morning.");
  expect(passageOf([""], "")).toEqual([]);
  expect(shown(["a".repeat(1_000)], "")).toHaveLength(400);
});

test("marks the searched words anywhere, ignoring case", () => {
  expect(shown(["The harbour, our Harbour."], " harbour ")).toBe("The [harbour], our [Harbour].");
});

test("begins a row's passage just before a distant hit, so that a phone shows both lines", () => {
  const text = `${"so it goes ".repeat(50)}and the harbour was empty ${"again and again ".repeat(50)}`;
  const passage = shown([text], "harbour");
  expect(passage).toMatch(/^… and the \[harbour\] was empty/);
  expect(passage.indexOf("[harbour]")).toBeLessThan(20);
});

test("a row of the history shows the translation's passage if only it matches", () => {
  expect(shown(["The harbour.", "El puerto."], "puerto")).toBe("El [puerto].");
  expect(shown(["The harbour.", "El puerto."], "title")).toBe("The harbour.");
});

test("marks searched words as they are written, ignoring accents", () => {
  expect(shown(["From İstanbul to the Straße by the Café."], "istanbul")).toBe("From [İstanbul] to the Straße by the Café.");
  expect(shown(["From İstanbul to the Straße by the Café."], "strasse")).toBe("… to the [Straße] by the Café.");
  expect(shown(["From İstanbul to the Cafe\u0301, which"], "café")).toBe("… to the [Cafe\u0301], which");
  expect(partsOf("İstanbul harbour", "harbour").at(-1)).toEqual({ text: "harbour", isHit: true });
  const passage = shown([`${"Straße, Ærø, ½ café. ".repeat(50)}the harbour`, "", ""], "HARBOUR");
  expect(passage).toMatch(/^… .*the \[harbour\]$/);
});

test("does not repeat a title made of the first words", () => {
  const text = "Good morning, this is the weekly meeting. We begin with the budget.";
  const after = (title: string, term = "") => passageOf([text], term, title).map((part) => part.text);
  expect(after("Good morning, this is the weekly meeting…")).toEqual(["… We begin with the budget."]);
  expect(after(text)).toEqual([]);
  // The user's own title, or a single first word, is not taken as the beginning of the text.
  expect(after("Weekly")).toEqual([text]);
  expect(after("Good")).toEqual([text]);
  // The text that the title leaves out comes before the title's words.
  const title = "This is the weekly meeting";
  expect(passageOf([text], "", title, "en").map((part) => part.text)).toEqual(["… We begin with the budget."]);
  expect(passageOf([text.toLowerCase()], "", title, "en").map((part) => part.text)).toEqual(["… we begin with the budget."]);
  // With a search, the found words are shown wherever they are.
  expect(after("Good morning, this is the weekly meeting…", "weekly").join("")).toBe(
    "… is the weekly meeting. We begin with the budget.",
  );
});
