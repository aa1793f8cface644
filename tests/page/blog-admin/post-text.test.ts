import { expect, test } from "vitest";
import { placeOf, placesIn, withoutPlaces } from "#machines/blog-admin/post-editor/rules.ts";
import { countWords, formatted } from "#src/features/blog-admin/formatting.ts";
import { altEdit, altOf, placesEdit, removalEdit, uploadedEdit } from "#src/features/blog-admin/picture-places.ts";
import type { TextEdit } from "#src/features/blog-admin/post-text.ts";

const done = (text: string, edit: TextEdit | null) =>
  edit === null ? null : text.slice(0, edit.from) + edit.text + text.slice(edit.to);

/** `[` and `]` mark the selection before and after. */
test.each([
  ["bold", "a [b] c", "a **[b]** c"],
  ["bold", "a **[b]** c", "a [b] c"],
  ["italic", "a **[b]** c", "a ***[b]*** c"],
  ["italic", "a *[b]* c", "a [b] c"],
  ["code", "a [b] c", "a `[b]` c"],
  ["code", "[a\nb]", "```\n[a\nb]\n```\n"],
  ["heading", "a\n[b]\nc", "a\n## b[]\nc"],
  ["heading", "### [b]", "## b[]"],
  ["heading", "## [b]", "b[]"],
  ["list", "[a\nb]", "[- a\n- b]"],
  ["list", "[- a\n- b]", "[a\nb]"],
  ["quote", "x\n[a]", "x\n> a[]"],
] as const)("the post editor's %s changes %o to %o", (format, before, after) => {
  const from = before.indexOf("[");
  const to = before.indexOf("]") - 1;
  const text = before.replace("[", "").replace("]", "");
  const edit = formatted(format, text, [from, to]);
  const [start, end] = edit.select ?? [0, 0];
  const result = String(done(text, edit));
  const marked = [result.slice(0, edit.from + start), "[", result.slice(edit.from + start, edit.from + end), "]"];
  expect(marked.join("") + result.slice(edit.from + end)).toBe(after);
});

test("selects what a new link lacks: its address or its words", () => {
  expect(formatted("link", "see here now", [4, 8])).toEqual({ from: 4, to: 8, text: "[here](https://)", select: [7, 15] });
  expect(formatted("link", "https://a.example", [0, 17]).text).toBe("[](https://a.example)");
});

test("counts words without addresses and marks, in any language", () => {
  expect(countWords("**Two** words ![a cat](http://x.example/y) https://x.example", "en")).toBe(4);
  expect(countWords("", "en")).toBe(0);
  expect(countWords("two words", "not a language")).toBe(2);
});

const words = "Uploading cat.png…";
const place = placeOf("1-a", words);

test("puts placeholders of pictures on their own lines, and does not send them", () => {
  const text = done("before after", placesEdit("before after", [6, 6], [place, placeOf("2", "b")]));
  expect(text).toBe(`before\n\n${place}\n\n![b](upload:2)\n\n after`);
  expect(placesIn(String(text))).toEqual(["1-a", "2"]);
  expect(withoutPlaces(String(text))).toBe("before\n\n\n\n\n\n after");
});

test("keeps the description of a picture that was uploaded", () => {
  expect(done(place, uploadedEdit(place, "1-a", "/blog/images/x#2x2", words))).toBe("![](/blog/images/x#2x2)");
  const named = String(done(place, altEdit(place, "1-a", null, " A [cat]\n sleeps ")));
  expect(named).toBe("![A cat sleeps](upload:1-a)");
  const arrived = String(done(named, uploadedEdit(named, "1-a", "/blog/images/x#2x2", words)));
  expect(arrived).toBe("![A cat sleeps](/blog/images/x#2x2)");
  expect(altOf(arrived, "1-a", "/blog/images/x", words)).toBe("A cat sleeps");
  expect(altOf(place, "1-a", null, words)).toBe("");
});

test("replaces a placeholder by the picture, and ignores removed ones", () => {
  const text = "![A cat](/images/placeholder.svg?1-a#1200x675)";
  expect(done(text, uploadedEdit(text, "1-a", "/blog/images/x", words))).toBe("![A cat](/blog/images/x)");
  expect(uploadedEdit("nothing", "1-a", "/blog/images/x", words)).toBeNull();
  expect(altOf("nothing", "1-a", null, words)).toBeNull();
  expect(done(`a\n${place}\nb`, removalEdit(`a\n${place}\nb`, "1-a"))).toBe("a\nb");
  expect(removalEdit("nothing", "1-a")).toBeNull();
});
