import { describe, expect, test } from "vitest";
import { ProvidersAnswer } from "#contract/index.ts";
import { argon2id, createPasswords } from "#server/account/passwords.ts";
import { readConfig } from "#server/config/config.ts";
import { post, read, refusal, startTestServer } from "#tests/server/harness.ts";
import { openVisitor, windowAnswer } from "#tests/server/visitor.ts";
import { failed, people, setUp, signIn } from "./harness-federated.ts";

describe("accounts of a federated sign-in", () => {
  const password = "correct horse";

  // PROMISE sign-in: A provider's account never opens an account with a password by itself
  test.each([
    ["the provider has not checked", "eve", "accountExists"],
    ["the provider has checked, but we have not", "ada", "linkRequired"],
  ])("a federated sign-in does not take over an account whose e-mail %s", async (_, login, code) => {
    const { server, start } = await setUp();
    await post(server, "/auth/register", { email: "ada@example.org", password });
    const visitor = openVisitor();
    expect((await signIn(start, login, visitor)).href).toBe(failed(server, code));
    expect(visitor.cookies.has("parlance_refresh")).toBe(false);
    expect((await post(server, "/auth/login", { email: "ada@example.org", password })).status).toBe(200);
  });

  test("refuses a checked e-mail at the provider when an account has it unchecked", async () => {
    const { server, start } = await setUp();
    expect((await signIn(start, "eve")).searchParams.has("code")).toBe(true);
    expect((await signIn(start, "ada")).href).toBe(failed(server, "accountExists"));
  });

  test("refuses a federated sign-in without an e-mail", async () => {
    const { server, start } = await setUp();
    expect((await signIn(start, "nobody")).href).toBe(failed(server));
  });

  test("no password opens a new federated account, and the check takes the usual work", async () => {
    let hashes = 0;
    // The real cost, so that a hash of another cost would be noticed.
    const passwords = createPasswords(undefined, (parameters) => {
      expect(parameters).toMatchObject({ memory: 19_456, passes: 2, parallelism: 1 });
      hashes += 1;
      return argon2id(parameters);
    });
    const { server, start } = await setUp({ passwords });
    await signIn(start, "ada");
    // One hash takes nearly all of an answer's time. The test counts hashes, because times vary on a busy machine.
    for (const email of ["ada@example.org", "nobody@example.org"]) {
      for (const tried of [" ", password]) {
        hashes = 0;
        expect(await refusal(await post(server, "/auth/login", { email, password: tried }))).toBe("401 badCredentials");
        expect(hashes).toBe(1);
      }
    }
    const again = await post(server, "/auth/register", { email: "ada@example.org", password });
    expect(await refusal(again)).toBe("409 emailTaken");
  });
});

describe("configuration of the provider", () => {
  test("the provider is Google unless another issuer is configured", () => {
    expect(readConfig({ OIDC_CLIENT_ID: "x" }).providers[0]).toEqual({
      id: "google",
      issuer: "https://accounts.google.com",
      clientId: "x",
      clientSecret: undefined,
      name: "Google",
    });
    const other = { OIDC_CLIENT_ID: "x", OIDC_ISSUER: "https://id.example.org/realms/a/" };
    expect(readConfig(other).providers[0]).toMatchObject({ issuer: other.OIDC_ISSUER, name: "id.example.org" });
    expect(readConfig({}).providers).toEqual([]);
  });

  test.each([
    "http://id.example.org",
    "ftp://id.example.org",
    "id.example.org",
    "https://id.example.org/?x",
    "https://a@id.example.org",
  ])("refuses the issuer %s", (issuer) => {
    expect(() => readConfig({ OIDC_CLIENT_ID: "x", OIDC_ISSUER: issuer })).toThrow(/^OIDC_ISSUER: .* must be an https address/);
  });

  test("reports the missing client id that belongs to a secret", () => {
    expect(() => readConfig({ OIDC_CLIENT_SECRET: "hush" })).toThrow("OIDC_CLIENT_ID: is missing");
  });
});

describe("configured provider", () => {
  test("lists the configured provider by name", async () => {
    const { server } = await setUp();
    const answer = await fetch(`${server.apiUrl}/auth/providers`);
    expect(await read(answer, 200, ProvidersAnswer)).toEqual({
      federated: { name: "Google" },
      providers: [{ id: "google", name: "Google" }],
    });
  });

  test("lists no provider and answers providerOff when none is configured", async () => {
    const server = await startTestServer();
    const answer = await fetch(`${server.apiUrl}/auth/providers`);
    expect(await read(answer, 200, ProvidersAnswer)).toEqual({ federated: null, providers: [] });
    expect(await refusal(await fetch(`${server.apiUrl}/auth/google`))).toBe("404 providerOff");
    expect(await refusal(await fetch(`${server.apiUrl}/auth/google/callback?code=x&state=y`))).toBe("404 providerOff");
  });

  test("contacts an unreachable provider again at the next sign-in", async () => {
    const { provider, server, start } = await setUp();
    provider.stall();
    expect((await openVisitor().get(start)).headers.get("Location")).toBe(failed(server));
    const { message } = await windowAnswer(await openVisitor().get(`${start}?popup=1`));
    expect(message).toEqual({ type: "AUTH_FAILURE", code: "providerFailed" });
    provider.serve(server.apiUrl, people);
    expect((await signIn(start, "ada")).searchParams.has("code")).toBe(true);
  });
});
