import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import { post, refusal, signUp, startTestServer } from "#tests/server/harness.ts";

function rowsOf(dataDir: string, table: "inbox" | "waitlist") {
  using db = openSql(dataDir);
  return db.prepare(`select * from ${table}`).all();
}

const contact = () => ({
  clientId: randomUUID(),
  name: "Ada",
  email: "ada@example.org",
  text: " Hello <there> ",
  language: "de",
});

describe("contact messages and feedback", () => {
  test("stores a message once, however often it is sent, and mails it to the owner", async () => {
    const mail = await startMailServer();
    const server = await startTestServer({ env: { ...mail.env, OWNER_EMAIL: "owner@example.org", EMAIL_CONFIRMATION: "0" } });
    const message = contact();
    for (let times = 0; times < 2; times++) expect((await post(server, "/contact", message)).status).toBe(201);
    expect(rowsOf(server.dataDir, "inbox")).toMatchObject([
      { kind: "contact", name: "Ada", text: "Hello <there>", language: "de" },
    ]);
    await expect.poll(() => mail.received.length).toBe(1);
    expect(mail.received[0]?.to).toEqual(["owner@example.org"]);
    expect(mail.received[0]?.raw).toContain("From: Ada <ada@example.org>");
    expect(mail.received[0]?.raw).toContain("Hello &lt;there&gt;");
  });

  test("stores feedback of signed-in people with or without a rating", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect((await person.call("POST", "/feedback", { clientId: randomUUID(), text: "Good", rating: 5 })).status).toBe(201);
    expect((await person.call("POST", "/feedback", { clientId: randomUUID(), text: "Fine" })).status).toBe(201);
    expect(rowsOf(server.dataDir, "inbox")).toMatchObject([
      { kind: "feedback", email: person.email, rating: 5 },
      { kind: "feedback", email: person.email, rating: null },
    ]);
    expect((await post(server, "/feedback", { clientId: randomUUID(), text: "Good" })).status).toBe(401);
  });

  test.each([
    ["no text", { text: "  " }],
    ["a text that is too long", { text: "x".repeat(10_001) }],
    ["no address", { email: "ada" }],
    ["an invalid client id", { clientId: "1" }],
  ])("refuses a message with %s", async (_, change) => {
    const server = await startTestServer();
    expect(await refusal(await post(server, "/contact", { ...contact(), ...change }))).toBe("400 badRequest");
    expect(rowsOf(server.dataDir, "inbox")).toEqual([]);
  });

  test("accepts at most twenty messages an hour", async () => {
    const server = await startTestServer();
    for (let times = 0; times < 20; times++) expect((await post(server, "/contact", contact())).status).toBe(201);
    expect(await refusal(await post(server, "/contact", contact()))).toBe("429 tooManyRequests");
  });
});

test("the waiting list stores an address once and answers a second request alike", async () => {
  const server = await startTestServer();
  const join = () => post(server, "/waitlist", { email: "Ada@Example.org" });
  const [first, second] = [await join(), await join()];
  expect([second.status, await second.text()]).toEqual([first.status, await first.text()]);
  expect(rowsOf(server.dataDir, "waitlist")).toMatchObject([{ email: "ada@example.org" }]);
});
