import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { UserProfile } from "#contract/index.ts";
import { bearerOf } from "#server/http/bearer.ts";
import { matchesETag } from "#server/http/matches-etag.ts";
import { parseRange } from "#server/http/range.ts";
import { read, signUp, startTestServer } from "#tests/server/harness.ts";

describe("Authorization header", () => {
  test.each(["Bearer a.b", "bearer a.b", "BEARER a.b", "Bearer  a.b", "Bearer\ta.b", "Bearer \t a.b \t", " bEaReR a.b"])(
    "finds the token in the Authorization header %j",
    (header) => {
      expect(bearerOf(header)).toBe("a.b");
    },
  );

  test.each([
    undefined,
    "",
    "a.b",
    "Bearer",
    "Bearer  ",
    "Bearera.b",
    "Basic a.b",
    "Bearer a.b c.d",
    "Bearer a.b,c.d",
    "Bearer a.b,",
  ])("finds no token in the Authorization header %j", (header) => {
    expect(bearerOf(header)).toBeUndefined();
  });

  test("signs in with several blanks, tabs and any case in the Authorization header", async () => {
    const server = await startTestServer();
    const { token, email } = await signUp(server);
    for (const Authorization of [`Bearer  ${token}`, `bearer\t${token}`, `BEARER \t ${token} `]) {
      const answer = await fetch(`${server.apiUrl}/users/me`, { headers: { Authorization } });
      expect(await read(answer, 200, UserProfile)).toMatchObject({ email });
    }
    for (const Authorization of [`Bearer ${token}, Bearer ${token}`, `Bearer ${token} ${token}`, token]) {
      expect((await fetch(`${server.apiUrl}/users/me`, { headers: { Authorization } })).status).toBe(401);
    }
  });
});

test("parses a range with blanks and with its unit in any case", () => {
  expect(parseRange(" Bytes = 1 - 2 ", 9)).toEqual({ start: 1, end: 2 });
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"x", W/"a"', true],
  ["*", true],
  ['"ab"', false],
  ["a", false],
])("whether an If-None-Match of %s matches the tag: %s", async (header, isNamed) => {
  const app = new Hono().get("/", (c) => c.json(matchesETag(c, '"a"')));
  expect(await (await app.request("/", { headers: { "If-None-Match": header } })).json()).toBe(isNamed);
});
