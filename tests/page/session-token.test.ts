import { describe, expect, test } from "vitest";
import { clockOffsetOf, decodeClaims, InvalidTokenError, readToken } from "../../src/app/session-token.ts";
import { makeToken } from "./tokens.ts";

const exp = 1_800_000_000;

test("a token's claims are read, whatever letters they have", () => {
  const token = makeToken({ sub: "ädä–东", exp, email: "x@example.org" });
  expect(decodeClaims(token)).toEqual({ sub: "ädä–东", exp, email: "x@example.org" });
  expect(readToken(token)).toEqual({ value: token, expiresAt: exp * 1000, userId: "ädä–东" });
});

describe("an invalid token", () => {
  test.each([
    ["no string", undefined],
    ["no string either", { exp }],
    ["without a payload", "header"],
    ["with an empty payload", "header..signature"],
    ["with a payload that is no base64", "header.%%%.signature"],
    ["with a payload that is no JSON", `header.${btoa("hello")}.signature`],
    ["with a payload that is no UTF-8", `header.${btoa('{"sub":"\xff"}')}.signature`],
    ["without an expiry", makeToken({ sub: "ada" })],
    ["with an expiry that is no number", makeToken({ sub: "ada", exp: "soon" })],
    ["of nobody", makeToken({ exp })],
  ])("%s", (_, token) => {
    expect(() => decodeClaims(token)).toThrow(InvalidTokenError);
  });
});

describe("the clock's offset", () => {
  const now = 1_700_000_000_000;
  test.each([
    ["a device an hour behind", now / 1000 + 3600, 3_600_000],
    ["a device an hour ahead", now / 1000 - 3600, -3_600_000],
    ["whole seconds and the way here", now / 1000 - 1, 0],
    ["a server that does not say", undefined, 0],
  ])("%s", (_, iat, offset) => {
    expect(clockOffsetOf(makeToken({ sub: "ada", exp, ...(iat !== undefined && { iat }) }), now)).toBe(offset);
  });
});
