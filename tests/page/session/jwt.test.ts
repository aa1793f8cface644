import { InvalidTokenError } from "jwt-decode";
import { describe, expect, test } from "vitest";
import { clockOffsetOf, decodeClaims, readToken } from "#src/features/session/jwt.ts";
import { makeToken } from "#tests/fixtures/token.ts";

const exp = 1_800_000_000;

// SPEC 3: "A signed token whose payload carries exp"
test("reads a token's claims with any letters", () => {
  const token = makeToken({ sub: "ädä–东", exp, email: "x@example.org" });
  expect(decodeClaims(token)).toEqual({ sub: "ädä–东", exp, email: "x@example.org" });
  expect(readToken(token)).toEqual({ value: token, expiresAt: exp * 1000, userId: "ädä–东" });
});

// SPEC 5: "fails with an invalid-token error"
describe("invalid token", () => {
  test.each([
    ["no string", undefined, "must be a string"],
    ["no string either", { exp }, "must be a string"],
    ["without a payload", "header", "missing part #2"],
    ["with an empty payload", "header..signature", "invalid json for part #2"],
    ["with a payload that is no base64", "header.%%%.signature", "invalid base64 for part #2"],
    ["with a payload of a length that base64 does not have", "header.abcde.signature", "invalid base64 for part #2"],
    ["with a payload that is no JSON", `header.${btoa("hello").replace(/=+$/, "")}.signature`, "invalid json for part #2"],
    ["with a payload that is no object", `header.${btoa(JSON.stringify("ada"))}.signature`, "lacks what a session needs"],
    ["with a payload that is no UTF-8, and lacks the rest", `header.${btoa('{"sub":"\xff"}')}.signature`, "lacks"],
    ["without an expiry", makeToken({ sub: "ada" }), "lacks what a session needs"],
    ["with an expiry that is no number", makeToken({ sub: "ada", exp: "soon" }), "lacks what a session needs"],
  ])("the invalid token is rejected: %s", (_, token, why) => {
    const decode = () => decodeClaims(token);
    expect(decode).toThrow(InvalidTokenError);
    expect(decode).toThrow(why);
  });
});

describe("clock offset of a token", () => {
  const now = 1_700_000_000_000;
  test.each([
    ["a device an hour behind", now / 1000 + 3600, 3_600_000],
    ["a device an hour ahead", now / 1000 - 3600, -3_600_000],
    ["whole seconds and the way here", now / 1000 - 1, 0],
    ["a server that does not say", undefined, 0],
  ])("the clock offset of a token is computed: %s", (_, iat, offset) => {
    expect(clockOffsetOf(makeToken({ sub: "ada", exp, ...(iat !== undefined && { iat }) }), now)).toBe(offset);
  });
});
