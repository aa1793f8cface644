import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createLog, describeError } from "#server/log/log.ts";
import { base, post, signUp, startTestServer } from "#tests/server/harness.ts";
import { setUp, signIn } from "#tests/server/session/harness-federated.ts";
import { openVisitor } from "#tests/server/visitor.ts";

const random = () => randomBytes(32).toString("base64url");

function logged(text: string): string {
  let line = "";
  const log = createLog(
    "info",
    () => 0,
    (entry) => {
      line = entry;
    },
  );
  log.warn("x", describeError(new Error(text)));
  return line;
}

test.each([
  ["a JSON Web Token", (secret: string) => `"${`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${secret}`}" is not valid JSON`],
  ["a short token", () => "eyJhbGciOiJub25lIn0.eyJzdWIiOiJzZWNyZXQifQ."],
  ["a header", (secret: string) => `authorization: Bearer ${secret.slice(0, 20)}`],
  ["a query", (secret: string) => `https://api.example/auth/google/callback?state=x1&code=${secret.slice(0, 8)}&iss=y failed`],
  ["a fragment", (secret: string) => `/email-verification#token=${secret.slice(0, 12)}`],
  ["a cookie", (secret: string) => `Cookie: lng=en; __Host-parlance_refresh=${secret.slice(0, 9)}; a=b`],
  ["a password in an address", (secret: string) => `connect smtp://mailer:${secret.slice(0, 7)}@mail.example.org:587`],
  ["a link's last part", (secret: string) => `GET /billing/test/${secret}`],
])("the log removes %s from an entry", (_, text) => {
  const secret = random();
  const line = logged(text(secret));
  expect(line).not.toContain(secret.slice(0, 7));
  expect(line).not.toContain("eyJzdWIi");
  expect(line).toMatch(/\[(secret|token)\]/);
});

test("the log keeps paths, ids, codes and positions in the code", () => {
  const text = `ENOENT: /data/audio/${randomUUID()}/original at startServer (file:///srv/server/start.ts:12:3) https://api.example/users/me`;
  expect(logged(text)).toContain(JSON.stringify(text).slice(1, -1));
});

// PROMISE security: No address, log or page holds a token
test("a whole visit at debug level leaves no token, code, link or password in the log", async () => {
  const lines: string[] = [];
  const options = { env: { LOG_LEVEL: "debug", EMAIL_CONFIRMATION: "0" }, writeLog: (line: string) => void lines.push(line) };
  const server = await startTestServer(options);
  const person = await signUp(server);
  const login = await post(server, "/auth/login", { email: person.email, password: "correct horse" });
  const cookie = login.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  await fetch(`${server.apiUrl}/auth/refresh`, { method: "POST", headers: { Cookie: cookie } });
  await fetch(`${server.apiUrl}/users/me?token=${person.token}`);
  await post(server, "/auth/forgot-password", { email: person.email });
  await person.call("GET", `${base}/transcription-history?search=harbor`);
  const secrets = [person.token, cookie.split("=")[1] ?? "none", person.email, "correct horse", "harbor"];
  expect(lines.length).toBeGreaterThan(5);
  for (const secret of secrets) expect(lines.join("")).not.toContain(secret);
});

test("a federated sign-in leaves neither the provider's nor the server's code in the log", async () => {
  const lines: string[] = [];
  const { provider, server, start } = await setUp({ env: { LOG_LEVEL: "debug" }, writeLog: (line) => void lines.push(line) });
  const visitor = openVisitor();
  const there = await signIn(start, "ada", visitor);
  provider.stall();
  const back = await openVisitor()
    .signInAtProvider(start, "ada")
    .catch(() => undefined);
  expect(back).toBeUndefined();
  await fetch(`${server.apiUrl}/auth/google/callback?code=abc&state=${random()}`);
  expect(lines.join("")).toContain("/auth/google/callback");
  const codes = [there.searchParams.get("code") ?? "none", ...visitor.cookies.values()];
  for (const secret of codes) expect(lines.join("")).not.toContain(secret);
});
