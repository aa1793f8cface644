import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../../src/ui/${name}`, import.meta.url), "utf8");

test("draws every named icon, and names every drawn one", () => {
  const named = [...read("icon.tsx").matchAll(/\| "(\w+)"/g)].map(([, name]) => name);
  const drawn = [...read("icons.svg").matchAll(/<symbol id="(\w+)" viewBox="0 0 24 24"><path d="[^"]+" \/><\/symbol>/g)].map(
    ([, name]) => name,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(drawn).toEqual(named);
});
