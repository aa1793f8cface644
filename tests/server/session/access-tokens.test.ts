import { expect, test } from "vitest";
import { createAccessTokens } from "#server/session/access-tokens.ts";
import { configuredKeys, type Keyring } from "#server/session/signing-keys.ts";
import { accessTokenSeconds } from "#server/session/token-lifetimes.ts";
import { testClock } from "#tests/server/harness.ts";

const [first, second] = ["a secret that is long enough for this test", "another secret that is long enough for it"];
const claims = { sub: "somebody", sid: "their session", email: "somebody@example.org" };

/** Access tokens with keys that the test can exchange. */
function openTokens() {
  const clock = testClock(Date.now());
  let keys = configuredKeys([first]);
  const keyring: Keyring = { newest: () => keys.newest(), find: (id) => keys.find(id) };
  const tokens = createAccessTokens(keyring, clock.now);
  const exchange = (secrets: readonly string[]) => {
    keys = configuredKeys(secrets);
  };
  return { tokens, clock, exchange };
}

test("a cached token expires on time", async () => {
  const { tokens, clock } = openTokens();
  const token = await tokens.sign(claims);
  for (let time = 0; time < 2; time++) expect(await tokens.verify(token)).toMatchObject(claims);
  clock.advance(accessTokenSeconds * 1000 - 1_000);
  expect(await tokens.verify(token)).toMatchObject(claims);
  clock.advance(1_000);
  for (let time = 0; time < 2; time++) expect(await tokens.verify(token)).toBeUndefined();
});

test("a cached token ends with its key", async () => {
  const { tokens, exchange } = openTokens();
  const token = await tokens.sign(claims);
  expect(await tokens.verify(token)).toMatchObject(claims);
  exchange([second, first]);
  expect(await tokens.verify(token)).toMatchObject(claims);
  exchange([second]);
  expect(await tokens.verify(token)).toBeUndefined();
  // The token is verified again when the key is back.
  exchange([first]);
  expect(await tokens.verify(token)).toMatchObject(claims);
});

test("refuses a token that differs from a cached one only in its signature", async () => {
  const { tokens } = openTokens();
  const token = await tokens.sign(claims);
  expect(await tokens.verify(token)).toMatchObject(claims);
  const [header, body, signature = ""] = token.split(".");
  const other = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  expect(await tokens.verify(`${header}.${body}.${other}`)).toBeUndefined();
  expect(await tokens.verifyMedia(token)).toBeUndefined();
});
