import { expect, test } from "vitest";
import { emptyFields } from "#machines/search/rules.ts";
import { addressOf, searchIn } from "#src/features/search/address.ts";

test("an address says what to look for; what makes no sense in it is passed over", () => {
  expect(searchIn({ q: " plan ", language: "de", from: "2026-03-01", to: "2026-03-02", other: 1 })).toEqual({
    q: " plan ",
    language: "de",
    from: "2026-03-01",
    to: "2026-03-02",
  });
  // As the router reads ?q=2026.
  expect(searchIn({ q: 2026 })).toEqual({ q: "2026" });
  expect(searchIn({ q: ["a"], language: "<de>", from: "yesterday", to: 7 })).toEqual({});
  expect(searchIn({ q: " " })).toEqual({});
});

test("and is made of what is looked for", () => {
  expect(addressOf({ ...emptyFields, query: " plan ", to: "2026-03-02" })).toEqual({ q: "plan", to: "2026-03-02" });
  expect(addressOf(emptyFields)).toEqual({});
});
