import { describe, expect, onTestFinished, test } from "vitest";
import { LoginAnswer, ProvidersAnswer, SignInMethodsAnswer } from "#contract/index.ts";
import { readConfig } from "#server/config/config.ts";
import { type People, startIdentityProvider } from "#tests/fixtures/identity-provider.ts";
import { asPerson, post, read } from "#tests/server/harness.ts";
import { openVisitor } from "#tests/server/visitor.ts";
import { failed, people, profileOf, setUp, signIn } from "./harness-federated.ts";

const password = "correct horse";

/** A second provider besides the first, whose people may have the same subjects and addresses. */
async function setUpTwo(theirs: People = { ada: { email: "ada@work.example", email_verified: true, name: "Ada at work" } }) {
  const work = await startIdentityProvider();
  onTestFinished(() => work[Symbol.asyncDispose]());
  const { OIDC_CLIENT_ID: id = "", OIDC_CLIENT_SECRET: secret = "" } = work.env;
  const env = {
    OIDC_PROVIDERS: "work",
    OIDC_WORK_ISSUER: work.issuer,
    OIDC_WORK_CLIENT_ID: id,
    OIDC_WORK_CLIENT_SECRET: secret,
    OIDC_WORK_NAME: "Work",
  };
  const { provider, server, start } = await setUp({ env });
  const redirect_uris = [`${server.apiUrl}/auth/providers/work/callback`];
  work.serve(server.apiUrl, theirs, { clients: [{ client_id: id, client_secret: secret, redirect_uris }] });
  return {
    server,
    google: { start, issuer: provider.issuer },
    work: { start: `${server.apiUrl}/auth/providers/work`, issuer: work.issuer },
  };
}

describe("several providers", () => {
  test("each provider has a name and its own account for the same subject", async () => {
    const { server, google, work } = await setUpTwo();
    expect(await read(await fetch(`${server.apiUrl}/auth/providers`), 200, ProvidersAnswer)).toEqual({
      federated: { name: "Google" },
      providers: [
        { id: "google", name: "Google" },
        { id: "work", name: "Work" },
      ],
    });
    const atGoogle = openVisitor();
    const one = await profileOf(server, await signIn(google.start, "ada", atGoogle), atGoogle);
    const atWork = openVisitor();
    const two = await profileOf(server, await signIn(work.start, "ada", atWork), atWork);
    expect([one.email, two.email]).toEqual(["ada@example.org", "ada@work.example"]);
    expect(one.id).not.toBe(two.id);
    expect((await fetch(`${server.apiUrl}/auth/providers/other`)).status).toBe(404);
  });

  test("a provider's account opens no account of another provider or password with the same address", async () => {
    const { server, google, work } = await setUpTwo(people);
    const visitor = openVisitor();
    await profileOf(server, await signIn(google.start, "ada", visitor), visitor);
    expect((await signIn(work.start, "ada")).href).toBe(failed(server, "accountExists"));
    await read(await post(server, "/auth/register", { email: "eve@example.org", password }), 201, LoginAnswer);
    expect((await signIn(work.start, "eve2")).href).toBe(failed(server, "linkRequired"));
  });

  test("refuses a callback of a sign-in that began at another provider", async () => {
    const { server, google, work } = await setUpTwo();
    const other = (url: URL, path: string) => Object.assign(new URL(url), { pathname: path });
    const mixes = [
      { start: google.start, path: "/auth/providers/work/callback" },
      { start: work.start, path: "/auth/google/callback" },
    ];
    for (const { start, path } of mixes) {
      const visitor = openVisitor();
      const callback = await visitor.signInAtProvider(start, "ada");
      const answer = await visitor.get(other(callback, path));
      expect(answer.headers.get("Location")).toBe(failed(server));
      // The attempt is used up.
      expect((await visitor.get(callback)).headers.get("Location")).toBe(failed(server));
      expect(visitor.cookies.has("parlance_refresh")).toBe(false);
    }
    const visitor = openVisitor();
    const callback = await visitor.signInAtProvider(google.start, "ada");
    callback.searchParams.set("iss", work.issuer);
    expect((await visitor.get(callback)).headers.get("Location")).toBe(failed(server));
  });

  test("providers are linked and unlinked one by one", async () => {
    const { server, google, work } = await setUpTwo();
    for (const email of ["ada@example.org", "ada@work.example"])
      await read(await post(server, "/auth/register", { email, password }), 201, LoginAnswer);
    const visitor = openVisitor();
    const login = async () => {
      const { accessToken } = await read(
        await visitor.post(`${server.apiUrl}/auth/login`, { email: "ada@example.org", password }),
        200,
        LoginAnswer,
      );
      return asPerson(server, accessToken, "ada@example.org");
    };
    for (const { start } of [google, work]) {
      await login();
      expect((await signIn(`${start}?purpose=link`, "ada", visitor)).href).toBe(failed(server, "linkRequired"));
      await read(await visitor.post(`${server.apiUrl}/auth/link`, { password }), 200, LoginAnswer);
    }
    const ada = await login();
    const methods = async () => read(await ada.call("GET", "/users/me/sign-in-methods"), 200, SignInMethodsAnswer);
    expect((await methods()).linked.map(({ issuer }) => issuer).toSorted()).toEqual([google.issuer, work.issuer].toSorted());
    expect((await methods()).providers).toEqual([
      { id: "google", name: "Google", issuer: google.issuer },
      { id: "work", name: "Work", issuer: work.issuer },
    ]);
    expect((await ada.call("DELETE", "/users/me/identities", { password, issuer: google.issuer })).status).toBe(204);
    expect((await methods()).linked).toMatchObject([{ issuer: work.issuer }]);
    expect((await signIn(google.start, "ada")).href).toBe(failed(server, "linkRequired"));
    const again = openVisitor();
    expect((await profileOf(server, await signIn(work.start, "ada", again), again)).email).toBe("ada@example.org");
  });
});

describe("configuration of several providers", () => {
  const work = { OIDC_PROVIDERS: "work", OIDC_WORK_ISSUER: "https://login.work.example", OIDC_WORK_CLIENT_ID: "p" };

  test("reads the providers of OIDC_PROVIDERS besides the first provider", () => {
    expect(readConfig({ OIDC_CLIENT_ID: "g", ...work }).providers).toMatchObject([
      { id: "google", name: "Google", issuer: "https://accounts.google.com" },
      { id: "work", name: "login.work.example", issuer: "https://login.work.example", clientSecret: undefined },
    ]);
    expect(readConfig(work).providers).toHaveLength(1);
    expect(readConfig({}).providers).toEqual([]);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ OIDC_PROVIDERS: "google" }, /OIDC_PROVIDERS/],
    [{ OIDC_PROVIDERS: "a/b" }, /OIDC_PROVIDERS/],
    [{ OIDC_PROVIDERS: "work" }, /OIDC_WORK_ISSUER: is missing/],
    [{ ...work, OIDC_WORK_CLIENT_ID: "" }, /OIDC_WORK_CLIENT_ID: is missing/],
    [{ ...work, OIDC_WORK_ISSUER: "http://login.work.example" }, /OIDC_WORK_ISSUER: must be an https address/],
    [{ ...work, OIDC_CLIENT_ID: "g", OIDC_ISSUER: "https://login.work.example" }, /same issuer/],
  ])("refuses the provider configuration %j", (env, reason) => {
    expect(() => readConfig(env)).toThrow(reason);
  });
});
