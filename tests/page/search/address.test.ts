import { expect, test } from "vitest";
import { emptyFields } from "#machines/search/rules.ts";
import { addressOf, searchIn } from "#src/features/search/address.ts";

test("reads a search from the address and ignores invalid parts", () => {
  expect(searchIn({ q: " plan ", language: "de", from: "2026-03-01", to: "2026-03-02", other: 1 })).toEqual({
    q: " plan ",
    language: "de",
    from: "2026-03-01",
    to: "2026-03-02",
  });
  // The router parses ?q=2026 as a number.
  expect(searchIn({ q: 2026 })).toEqual({ q: "2026" });
  expect(searchIn({ q: ["a"], language: "<de>", from: "yesterday", to: 7 })).toEqual({});
  expect(searchIn({ q: " " })).toEqual({});
});

test("writes a search into the address", () => {
  expect(addressOf({ ...emptyFields, query: " plan ", to: "2026-03-02" })).toEqual({ q: "plan", to: "2026-03-02" });
  expect(addressOf(emptyFields)).toEqual({});
});
