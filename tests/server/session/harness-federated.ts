import { onTestFinished } from "vitest";
import { RefreshAnswer, UserProfile } from "#contract/index.ts";
import type { Overrides } from "#server/processes/overrides.ts";
import type { Running } from "#server/start.ts";
import { type People, startIdentityProvider } from "#tests/fixtures/identity-provider.ts";
import { asPerson, read, startTestServer } from "#tests/server/harness.ts";
import { openVisitor, type Visitor } from "#tests/server/visitor.ts";

/** The provider's claims: eve claims ada's address without proof, and nobody has no claims. */
export const people: People = {
  ada: { email: "Ada@Example.org", email_verified: true, name: "Ada Lovelace" },
  eve: { email: "ada@example.org", email_verified: false, name: "Eve" },
  eve2: { email: "eve@example.org", email_verified: true, name: "Eve" },
  nobody: {},
};

interface Setting extends Overrides {
  options?: Parameters<Awaited<ReturnType<typeof startIdentityProvider>>["serve"]>[2];
  env?: Record<string, string>;
}

/**
 * Starts a server and the provider that it uses.
 * @returns both, and the address where a sign-in starts
 */
export async function setUp({ options, env = {}, ...overrides }: Setting = {}) {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const server = await startTestServer({ env: { ...provider.env, ...env }, ...overrides });
  provider.serve(server.apiUrl, people, options);
  const start = `${server.apiUrl}/auth/google`;
  return { provider, server, start };
}

/**
 * Signs in at the provider.
 * @returns the address at which the browser ends
 */
export async function signIn(start: string, login: string, visitor: Visitor = openVisitor()): Promise<URL> {
  const answer = await visitor.get(await visitor.signInAtProvider(start, login));
  return new URL(answer.headers.get("Location") ?? "none:");
}

/** Exchanges the code for a token, as the page does at the callback address. */
export const exchange = (server: Running, there: URL, visitor: Visitor) =>
  visitor.post(`${server.apiUrl}/auth/google/exchange`, { code: there.searchParams.get("code") });

/** Signs in and returns the profile. */
export async function signInFor(server: Running, start: string, login: string) {
  const visitor = openVisitor();
  return profileOf(server, await signIn(start, login, visitor), visitor);
}

export async function profileOf(server: Running, there: URL, visitor: Visitor) {
  const { accessToken } = await read(await exchange(server, there, visitor), 200, RefreshAnswer);
  return read(await asPerson(server, accessToken).call("GET", "/users/me"), 200, UserProfile);
}

/** The address to which a failed callback leads. */
export const failed = (server: Running, code = "providerFailed") => `${server.pageUrl}/auth/google/callback?error=${code}`;
