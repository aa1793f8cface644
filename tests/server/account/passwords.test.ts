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

/** Every way to set a password: for a new account, and for one that is there. */
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

describe("a password that is set", () => {
  test.each([
    ["one of the most common", "password1", "422 passwordCommon"],
    ["one of the most common in other letters", "PassWord1", "422 passwordCommon"],
    ["one of the most common, in full-width letters", "ｐａｓｓｗｏｒｄ１", "422 passwordCommon"],
    ["the e-mail address", "Ada.Lovelace@example.org", "422 passwordPersonal"],
    ["what stands before its @", "ADA.lovelace", "422 passwordPersonal"],
    ["that with a year behind it", "ada.lovelace1815!", "422 passwordPersonal"],
    ["the product's name", "Parlance", "422 passwordPersonal"],
    ["the product's name with figures", "parlance123", "422 passwordPersonal"],
    ["blanks alone", " \t\u00a0\u3000\u2003 \u200b ", "400 badRequest"],
    ["eight units that are four characters", "🐎🐎🐎🐎", "400 badRequest"],
    ["too short", "horse 7", "400 badRequest"],
    ["too long", "horse".repeat(52), "400 badRequest"],
  ])("is not %s: at sign-up, in the settings, by a mail's link", async (_, password, said) => {
    const { server, register, change, reset } = await setUp();
    // The new account's own address is another one.
    const own = password.replace("example.org", "example.net");
    expect(await refusal(await register(own))).toBe(said);
    expect(await refusal(await change(password))).toBe(said);
    expect(await refusal(await reset(password))).toBe(said);
    expect((await login(server, good)).status).toBe(200);
    // A refused attempt does not use up the link.
    expect((await reset("battery staple")).status).toBe(200);
    expect((await login(server, "battery staple")).status).toBe(200);
  });

  test("may be of any letters and blanks, and opens the account however the keyboard writes them", async () => {
    const { server, reset } = await setUp();
    expect((await reset("  Crème brûlée １２  ".normalize("NFD"))).status).toBe(200);
    expect((await login(server, "  Crème brûlée 12  ".normalize("NFC"))).status).toBe(200);
    expect(await refusal(await login(server, "Crème brûlée 12"))).toBe("401 badCredentials");
    expect(await refusal(await login(server, "  Creme brulee 12  "))).toBe("401 badCredentials");
  });

  test("is hashed by the product with Argon2id at the cost that OWASP recommends", async () => {
    // The product's own, instead of the quick ones of the tests.
    const server = await startTestServer({ passwords: undefined });
    const db = await openTestDb(server.dataDir);
    onTestFinished(() => db.destroy());
    await signUp(server);
    const rows = await db.selectFrom("users").select("password_hash").execute();
    expect(rows).toHaveLength(2);
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("from before passwords were normalised still opens its account", async () => {
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

describe("the list of common passwords", () => {
  test("holds nearly all that zxcvbn knows, in any case of their letters", async () => {
    const known = dictionary["passwords-common"].map(String);
    const sample = known.filter((_, index) => index % 500 === 0);
    const found = await Promise.all(sample.map((password) => isCommonPassword(password.toUpperCase())));
    expect(found.filter(Boolean).length / sample.length).toBeGreaterThan(0.95);
  });

  test("is matched whole: neither a part of a line, nor two of them", async () => {
    expect(await isCommonPassword("ssword12")).toBe(false);
    expect(await isCommonPassword("123456\npassword")).toBe(false);
  });
});
