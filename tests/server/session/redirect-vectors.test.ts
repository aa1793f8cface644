import { expect, test } from "vitest";
import { UrlAnswer } from "#contract/index.ts";
import { redirects } from "#tests/fixtures/vectors.ts";
import { eventually, post, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { openVisitor } from "#tests/server/visitor.ts";
import { setUp } from "./harness-federated.ts";

/** Usual parameter names for an address to return to. */
const names = [
  "redirectTo",
  "redirect",
  "redirect_uri",
  "returnTo",
  "return_to",
  "next",
  "url",
  "continue",
  "state",
  "code",
  "purpose",
  "popup",
];
const query = (vector: string) => names.map((name) => `${name}=${encodeURIComponent(vector.toWellFormed())}`).join("&");
const forwarded = {
  "X-Forwarded-Host": "evil.example",
  "X-Forwarded-Proto": "https",
  Forwarded: "host=evil.example",
  Referer: "http://evil.example/",
};

test("a federated sign-in redirects only to the page, the API or the provider", async () => {
  const { server, provider } = await setUp();
  const own = [server.pageUrl, server.apiUrl, new URL(provider.env.OIDC_ISSUER ?? "none:").origin];
  for (const vector of redirects) {
    for (const path of ["/auth/google", "/auth/google/callback"]) {
      const answer = await fetch(`${server.apiUrl}${path}?${query(vector)}`, { redirect: "manual", headers: forwarded });
      const location = answer.headers.get("Location");
      if (location !== null) expect(own, `${path} ${vector}`).toContain(new URL(location, server.apiUrl).origin);
      expect(location ?? "").not.toContain("evil.example");
      // A refusal may repeat the input as JSON, which is no link.
      const isJson = answer.headers.get("Content-Type")?.startsWith("application/json") === true;
      const text = await answer.text();
      if (!isJson) expect(text).not.toContain("evil.example");
    }
  }
});

test("a checkout returns only to the server's own page, whatever the request says", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const visitor = openVisitor();
  for (const [i, vector] of redirects.entries()) {
    const wish = {
      plan: "premium",
      interval: "month",
      successUrl: vector,
      success_url: vector,
      cancelUrl: vector,
      returnTo: vector,
      return_url: vector,
    };
    const path = i % 2 === 0 ? "/subscriptions/account/checkout-session" : "/subscriptions/account/billing-portal";
    const answer = await person.call("POST", `${path}?${query(vector)}`, wish, forwarded);
    if (!answer.ok) {
      await answer.body?.cancel();
      continue;
    }
    const { url } = await read(answer, 200, UrlAnswer);
    const page = new URL(url ?? "none:");
    expect(page.origin).toBe(server.apiUrl);
    const back = await visitor.get(page);
    expect(await back.text()).not.toContain("evil.example");
    const left = await fetch(`${page.href}/cancel?${query(vector)}`, { method: "POST", redirect: "manual" });
    expect(new URL(left.headers.get("Location") ?? "none:", page).origin).toBe(server.pageUrl);
  }
});

test("a mailed link leads only to the server's own page, whatever the request says", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  await post(
    server,
    `/auth/forgot-password?${query("//evil.example")}`,
    { email: person.email, language: "en", redirectTo: "//evil.example" },
    forwarded,
  );
  // The answer does not wait for the mail, so that its time does not reveal an account.
  const listed = async () => /src="(\/mails\/[^"]+)"/.exec(await (await fetch(`${server.apiUrl}/mails`)).text())?.[1] ?? "";
  const path = await eventually(listed, (found) => found !== "");
  const mail = await (await fetch(`${server.apiUrl}${path}`)).text();
  expect(mail).toContain(server.pageUrl);
  expect(mail).not.toContain("evil.example");
});
