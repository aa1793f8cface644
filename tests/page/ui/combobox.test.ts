import { expect, test } from "vitest";
import { matching, plain } from "#src/ui/combobox.tsx";

const option = (label: string, group: string, ...keywords: string[]) => ({ value: label, label, group, keywords });
const options = [
  option("English", "work", "en"),
  option("Spanisch", "work", "es", "Spanish", "Español"),
  option("Portugiesisch", "others", "pt", "Portuguese", "Português"),
  option("Swahili", "others", "sw", "Kiswahili"),
  option("Hawaiisch", "others", "haw", "Hawaiian"),
];
const found = (typed: string) => matching(options, typed).map(({ label }) => label);

test("a text is compared without accents and case", () => {
  expect(plain("  Português ")).toBe("portugues");
});

test.each([
  ["", ["English", "Spanisch", "Portugiesisch", "Swahili", "Hawaiisch"]],
  ["espanol", ["Spanisch"]],
  ["PORTUGUÊS", ["Portugiesisch"]],
  ["sw", ["Swahili"]],
  ["nothing", []],
])("what was typed (%j) finds by code, English, native and shown name", (typed, labels) => {
  expect(found(typed)).toEqual(labels);
});

test("those that begin with it come first, in their groups", () => {
  expect(found("s")).toEqual(["Spanisch", "English", "Swahili", "Portugiesisch", "Hawaiisch"]);
});
