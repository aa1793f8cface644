import { argon2Sync, randomBytes } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, onTestFinished, test } from "vitest";
import { LoginAnswer } from "#contract/index.ts";
import { isCommonPassword } from "#server/account/common-passwords.ts";
import { startMailServer, tokenIn } from "#tests/fixtures/mail-server.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, post, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";

const email = "ada.lovelace@example.org";
const good = "correct horse";

/** Starts a server with every way to set a password: for a new account and for an existing one. */
async function setUp() {
  const mail = await startMailServer();
  const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
  const account = await read(await post(server, "/auth/register", { email, password: good }), 201, LoginAnswer);
  const person = asPerson(server, account.accessToken, email);
  await post(server, "/auth/forgot-password", { email });
  await expect.poll(() => mail.received.length).toBe(1);
  const token = tokenIn(mail.received[0]);
  return {
    server,
    register: (password: string) => post(server, "/auth/register", { email: "ada.lovelace@example.net", password }),
    change: (password: string) => person.call("POST", "/users/me/password", { currentPassword: good, newPassword: password }),
    reset: (password: string) => post(server, "/auth/reset-password", { token, password }),
  };
}

const login = (server: { apiUrl: string }, password: string) => post(server, "/auth/login", { email, password });

describe("new password", () => {
  test.each([
    ["a most common password", "password1", "422 passwordCommon"],
    ["a most common password in other case", "PassWord1", "422 passwordCommon"],
    ["a most common password in full-width letters", "ｐａｓｓｗｏｒｄ１", "422 passwordCommon"],
    ["the e-mail address", "Ada.Lovelace@example.org", "422 passwordPersonal"],
    ["the address without its domain", "ADA.lovelace", "422 passwordPersonal"],
    ["the address's first part and a year", "ada.lovelace1815!", "422 passwordPersonal"],
    ["the product's name", "Parlance", "422 passwordPersonal"],
    ["the product's name and digits", "parlance123", "422 passwordPersonal"],
    ["only blanks", " \t\u00a0\u3000\u2003 \u200b ", "400 badRequest"],
    ["four characters of eight code units", "🐎🐎🐎🐎", "400 badRequest"],
    ["a short password", "horse 7", "400 badRequest"],
    ["a long password", "horse".repeat(52), "400 badRequest"],
  ])("refuses %s at registration, in the settings and by a mailed link", async (_, password, said) => {
    const { server, register, change, reset } = await setUp();
    // The new account has another address.
    const own = password.replace("example.org", "example.net");
    expect(await refusal(await register(own))).toBe(said);
    expect(await refusal(await change(password))).toBe(said);
    expect(await refusal(await reset(password))).toBe(said);
    expect((await login(server, good)).status).toBe(200);
    // A refused attempt does not use up the link.
    expect((await reset("battery staple")).status).toBe(200);
    expect((await login(server, "battery staple")).status).toBe(200);
  });

  test("accepts any letters and blanks, however the keyboard encodes them", async () => {
    const { server, reset } = await setUp();
    expect((await reset("  Crème brûlée １２  ".normalize("NFD"))).status).toBe(200);
    expect((await login(server, "  Crème brûlée 12  ".normalize("NFC"))).status).toBe(200);
    expect(await refusal(await login(server, "Crème brûlée 12"))).toBe("401 badCredentials");
    expect(await refusal(await login(server, "  Creme brulee 12  "))).toBe("401 badCredentials");
  });

  test("hashes passwords with Argon2id at the cost that OWASP recommends", async () => {
    // The product's own hashing instead of the quick one of the tests.
    const server = await startTestServer({ passwords: undefined });
    const db = await openTestDb(server.dataDir);
    onTestFinished(() => db.destroy());
    await signUp(server);
    const rows = await db.selectFrom("users").select("password_hash").execute();
    expect(rows).toHaveLength(2);
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("a password hashed before normalization still opens its account", async () => {
    const { server } = await setUp();
    const typed = "Crème brûlée".normalize("NFD");
    const nonce = randomBytes(16);
    const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const tag = argon2Sync("argon2id", { message: typed, nonce, ...cost });
    const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    const db = await openTestDb(server.dataDir);
    await db
      .updateTable("users")
      .set({ password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${plain(nonce)}$${plain(tag)}` })
      .where("email", "=", email)
      .execute();
    await db.destroy();
    expect((await login(server, typed)).status).toBe(200);
    expect(await refusal(await login(server, "Creme brulee"))).toBe("401 badCredentials");
  });
});

describe("list of common passwords", () => {
  test("contains nearly all passwords of zxcvbn's list, ignoring case", async () => {
    const known = dictionary["passwords-common"].map(String);
    const sample = known.filter((_, index) => index % 500 === 0);
    const found = await Promise.all(sample.map((password) => isCommonPassword(password.toUpperCase())));
    expect(found.filter(Boolean).length / sample.length).toBeGreaterThan(0.95);
  });

  test("matches only whole lines of the list of common passwords", async () => {
    expect(await isCommonPassword("ssword12")).toBe(false);
    expect(await isCommonPassword("123456\npassword")).toBe(false);
  });
});
