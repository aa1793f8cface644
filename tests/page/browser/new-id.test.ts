import { parse, pipe, string, uuid } from "valibot";
import { expect, test } from "vitest";
import { newId } from "#src/browser/new-id.ts";

test("creates a different UUID of version 4 each time", () => {
  const ids = Array.from({ length: 1_000 }, newId);
  for (const id of ids) {
    expect(parse(pipe(string(), uuid()), id)).toBe(id);
    expect(id).toMatch(/^.{8}-.{4}-4.{3}-[89ab].{3}-.{12}$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
});
