import { expect, test } from "vitest";
import { findingsText, matching, plain } from "#src/ui/combobox/options.ts";

const option = (label: string, group: string, ...keywords: string[]) => ({ value: label, label, group, keywords });
const options = [
  option("English", "work", "en"),
  option("Spanisch", "work", "es", "Spanish", "Español"),
  option("Portugiesisch", "others", "pt", "Portuguese", "Português"),
  option("Swahili", "others", "sw", "Kiswahili"),
  option("Hawaiisch", "others", "haw", "Hawaiian"),
];
const found = (typed: string) => matching(options, typed).map(({ label }) => label);

test("the combobox compares texts without accents and case", () => {
  expect(plain("  Português ")).toBe("portugues");
});

test.each([
  ["", ["English", "Spanisch", "Portugiesisch", "Swahili", "Hawaiisch"]],
  ["espanol", ["Spanisch"]],
  ["PORTUGUÊS", ["Portugiesisch"]],
  ["sw", ["Swahili"]],
  ["nothing", []],
])("finds for %j by code, English, native and shown name", (typed, labels) => {
  expect(found(typed)).toEqual(labels);
});

test("lists options that begin with the text first, in their groups", () => {
  expect(found("s")).toEqual(["Spanisch", "English", "Swahili", "Portugiesisch", "Hawaiisch"]);
});

test("says that nothing was found, or why it can't be chosen", () => {
  const closed = { ...option("Georgian", "others"), disabled: true };
  expect(findingsText([], "No matching language")).toBe("No matching language");
  expect(findingsText([{ ...closed, note: "No engine" }, closed], "No matching language")).toBe("Georgian: No engine");
  expect(findingsText([closed], "No matching language")).toBe("Georgian");
  expect(findingsText([closed, option("English", "work")], "No matching language")).toBe("");
});
