import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const classesIn = (...sheets: readonly string[]) =>
  new Set(sheets.flatMap((sheet) => Array.from(readFileSync(sheet, "utf8").matchAll(/\.([a-zA-Z][\w-]*)/g), ([, name]) => name)));
const components = globSync("src/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));

/** The global class names of elements: `row` and `apart` of "row apart ${styles.head}". */
function namesUsed(): Set<string> {
  const values = components.flatMap((text) =>
    Array.from(text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g), ([, plain, template]) => plain ?? template ?? ""),
  );
  return new Set(values.flatMap((value) => value.replaceAll(/\$\{[^}]*\}/g, " ").split(/\s+/)).filter(Boolean));
}

test("defines every shared class of an element in a global style sheet", () => {
  const known = classesIn("src/ui/classes.css", "src/ui/base.css", "src/ui/server-rendered.css");
  expect([...namesUsed()].filter((name) => !known.has(name))).toEqual([]);
});

test("uses every shared class", () => {
  const all = components.join("\n");
  expect([...classesIn("src/ui/classes.css")].filter((name) => !new RegExp(`["\`} ]${name}["\`$ ]`).test(all))).toEqual([]);
});
