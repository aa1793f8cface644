import { onTestFinished } from "vitest";
import type { Running } from "../../server/start.ts";
import { UserProfile } from "../../src/api/contract/index.ts";
import { type People, startIdentityProvider } from "../fixtures/identity-provider.ts";
import { asPerson, read, startTestServer } from "./harness.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

/** What the provider knows: of eve, that she says that she is ada; of nobody, nothing. */
export const people: People = {
  ada: { email: "Ada@Example.org", email_verified: true, name: "Ada Lovelace" },
  eve: { email: "ada@example.org", email_verified: false, name: "Eve" },
  nobody: {},
};

interface Setting {
  options?: Parameters<Awaited<ReturnType<typeof startIdentityProvider>>["serve"]>[2];
  now?: () => number;
}

/** A server, the provider that it uses, and where a sign-in starts. */
export async function setUp({ options, ...overrides }: Setting = {}) {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const server = await startTestServer({ env: provider.env, ...overrides });
  provider.serve(server.apiUrl, people, options);
  const start = `${server.apiUrl}/auth/google`;
  return { provider, server, start };
}

/** The address of the page that the browser ends at. */
export async function signIn(start: string, login: string, visitor: Visitor = openVisitor()): Promise<URL> {
  const answer = await visitor.get(await visitor.signInAtProvider(start, login));
  return new URL(answer.headers.get("Location") ?? "none:");
}

export const profileOf = async (server: Running, there: URL) =>
  read(await asPerson(server, there.searchParams.get("token") ?? "").call("GET", "/users/me"), 200, UserProfile);

/** Where a callback that must fail leads. */
export const failed = (server: Running, code = "providerFailed") => `${server.pageUrl}/auth/google/callback?error=${code}`;
