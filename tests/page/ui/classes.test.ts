import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const classesIn = (...sheets: readonly string[]) =>
  new Set(sheets.flatMap((sheet) => Array.from(readFileSync(sheet, "utf8").matchAll(/\.([a-zA-Z][\w-]*)/g), ([, name]) => name)));
const components = globSync("src/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));

/** The names that elements have beside those of their own module: `row` and `apart` of "row apart ${styles.head}". */
function namesUsed(): Set<string> {
  const values = components.flatMap((text) =>
    Array.from(text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g), ([, plain, template]) => plain ?? template ?? ""),
  );
  return new Set(values.flatMap((value) => value.replaceAll(/\$\{[^}]*\}/g, " ").split(/\s+/)).filter(Boolean));
}

test("each shared class that an element has is in a style sheet of the whole page", () => {
  const known = classesIn("src/ui/classes.css", "src/ui/base.css", "src/ui/server-rendered.css");
  expect([...namesUsed()].filter((name) => !known.has(name))).toEqual([]);
});

test("each shared class is used", () => {
  const all = components.join("\n");
  expect([...classesIn("src/ui/classes.css")].filter((name) => !new RegExp(`["\`} ]${name}["\`$ ]`).test(all))).toEqual([]);
});
