import type { KyselyPlugin } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { BillingHistory, Subscription, UrlAnswer, UserProfile } from "#contract/index.ts";
import { openDb } from "#server/db/open.ts";
import { createTestBilling } from "#server/subscription/test-billing.ts";
import { databaseUrl, openTestDb } from "#tests/server/database.ts";
import { type Person, post, read, refusal, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

/** Makes every insert of an invoice fail. */
const withoutInvoices: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (node.kind === "InsertQueryNode" && node.into?.table.identifier.name === "invoices") throw new Error("no invoices");
    return node;
  },
  transformResult: async ({ result }) => result,
};

const day = 24 * 60 * 60_000;
const own = "/subscriptions/account/subscription";
const subscriptionOf = async (person: Person) => read(await person.call("GET", own), 200, Subscription);

async function checkout(person: Person, interval: "year" | "month" = "month"): Promise<string> {
  const answer = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval });
  return (await read(answer, 200, UrlAnswer)).url ?? "no url";
}

async function portal(person: Person): Promise<string> {
  return (await read(await person.call("POST", "/subscriptions/account/billing-portal"), 200, UrlAnswer)).url ?? "no url";
}

/** Presses a button on a page of the test payments. @returns the redirect's target */
async function press(page: string, payment: string): Promise<string> {
  const answer = await fetch(`${page}/${payment}`, { method: "POST", redirect: "manual" });
  expect(answer.status).toBe(303);
  return answer.headers.get("Location") ?? "";
}

const invoices = async (person: Person) =>
  (await read(await person.call("GET", "/subscriptions/account/invoices"), 200, BillingHistory)).invoices;

async function start() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  return { clock, server, person: await signUp(server) };
}

describe("a checkout with test payments", () => {
  // PROMISE payments: Test payments say so, and reach every state
  // SPEC 7 Users and subscriptions: "POST /subscriptions/account/checkout-session"
  test("creates one subscription with one invoice however often the test payment is pressed", async () => {
    const { server, person } = await start();
    const page = await checkout(person, "year");
    const html = await (await fetch(page)).text();
    expect(html).toContain("test payment");
    expect(html).toContain("€96.00");
    expect(html).toContain("1 March 2027");
    expect(await press(page, "pay")).toBe(`${server.pageUrl}/subscription-success`);
    await press(page, "pay");
    expect(await subscriptionOf(person)).toMatchObject({
      status: "active",
      plan: "premium",
      interval: "year",
      currentPeriodEnd: "2027-03-01T12:00:00.000Z",
      cancelAtPeriodEnd: false,
    });
    expect(await invoices(person)).toMatchObject([{ amount: 9600, currency: "EUR", status: "paid" }]);
    const profile = await read(await person.call("GET", "/users/me"), 200, UserProfile);
    expect(profile).toMatchObject({ planType: "premium", subscriptionId: (await subscriptionOf(person)).id });
  });

  test.each([
    ["de", "Bezahlseite", "96,00\u00a0€ im Jahr", "1. März 2027", "Bezahlen (Test)", "Verlängert sich am 1. März 2027."],
    ["es", "Página de pago", "96,00\u00a0€ al año", "1 de marzo de 2027", "Pagar (prueba)", "Se renueva el 1 de marzo de 2027."],
    ["fr", "Page de paiement", "96,00\u00a0€ par an", "1er mars 2027", "Payer (test)", "Se renouvelle le 1er mars 2027."],
    [
      "pt-BR",
      "Página de pagamento",
      "€\u00a096,00 por ano",
      "1º de março de 2027",
      "Pagar (teste)",
      "Renova em 1º de março de 2027.",
    ],
    ["nl", "Betaalpagina", "€\u00a096,00 per jaar", "1 maart 2027", "Betalen (test)", "Wordt verlengd op 1 maart 2027."],
    ["da", "Betalingsside", "96,00\u00a0€ om året", "1. marts 2027", "Betal (test)", "Fornys den 1. marts 2027."],
  ])("shows checkout and portal in the language of the account: %s", async (language, title, price, day, pay, state) => {
    const { person } = await start();
    const page = await checkout(person, "year");
    await read(await person.call("PATCH", "/users/me", { language }), 200, UserProfile);
    const html = await (await fetch(page)).text();
    const said = [`<html lang="${language}">`, `<h1>${title}</h1>`, price, day, `<button>${pay}</button>`];
    expect(said.filter((text) => !html.includes(text))).toEqual([]);
    await press(page, "pay");
    expect(await (await fetch(await portal(person))).text()).toContain(`<p>${state}</p>`);
  });

  test("rolls back a payment that fails midway and lets the user pay again", async () => {
    const { server, person } = await start();
    const page = await checkout(person);
    const db = await openDb(server.dataDir, databaseUrl(server.dataDir));
    onTestFinished(() => db.destroy());
    const billing = createTestBilling(db.withPlugin(withoutInvoices), () => Date.parse("2026-03-01T12:00:00Z"));
    await expect(billing.press(await billing.open(page.split("/").at(-1) ?? ""), "pay")).rejects.toThrow("no invoices");
    expect((await person.call("GET", own)).status).toBe(404);
    await press(page, "pay");
    expect(await subscriptionOf(person)).toMatchObject({ status: "active" });
    expect(await invoices(person)).toHaveLength(1);
  });

  test("creates no subscription after a declined card or a canceled checkout", async () => {
    const { server, person } = await start();
    const page = await checkout(person, "month");
    expect(await press(page, "decline")).toContain("?declined");
    expect(await (await fetch(`${page}?declined`)).text()).toContain("The card was declined.");
    expect(await press(page, "cancel")).toBe(`${server.pageUrl}/subscription-cancelled?plan=premium&interval=month`);
    expect(await refusal(await person.call("GET", own))).toBe("404 notFound");
  });

  test("takes one payment from ten checkout pages, since a new page closes earlier ones", async () => {
    const { clock, server, person } = await start();
    const pages = await Promise.all(Array.from({ length: 10 }, (_, index) => checkout(person, index < 5 ? "year" : "month")));
    const statuses = await Promise.all(pages.map(async (page) => (await fetch(page)).status));
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(404)]);
    const pressed = () =>
      Promise.all(pages.map((page) => fetch(`${page}/pay`, { method: "POST", redirect: "manual" }))).then((answers) =>
        answers.filter((answer) => answer.headers.get("Location")?.endsWith("/subscription-success")),
      );
    await using db = await openTestDb(server.dataDir);
    await db
      .updateTable("billing_pages")
      .set({ expires_at: clock.now() + 60_000 })
      .execute();
    expect(await pressed()).toHaveLength(1);
    await db
      .updateTable("billing_pages")
      .set({ expires_at: clock.now() + 60_000 })
      .execute();
    expect(await pressed()).toHaveLength(1);
    expect(await invoices(person)).toHaveLength(1);
    expect(await db.selectFrom("subscriptions").selectAll().execute()).toHaveLength(1);
  });

  test("refuses a payment when premium was granted meanwhile or a payment is past due", async () => {
    const { server, person } = await start();
    const page = await checkout(person);
    const admin = await signUpSuperuser(server);
    const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
    const change = (body: object) => admin.call("PATCH", `/admin/users/${id}/subscription`, { reason: "A gift", ...body });
    expect((await change({ plan: "premium", periodEnd: "2027-06-01T00:00:00Z" })).status).toBe(200);
    expect(await press(page, "pay")).not.toContain("success");
    expect((await change({ plan: "free" })).status).toBe(200);
    await press(await checkout(person), "pay");
    await press(await portal(person), "fail");
    const again = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "year" });
    expect(await refusal(again)).toBe("409 conflict");
  });

  test("explains a closed checkout page in the account's language and links back", async () => {
    const { clock, server, person } = await start();
    await read(await person.call("PATCH", "/users/me", { language: "de" }), 200, UserProfile);
    const page = await checkout(person);
    clock.advance(60 * 60_000);
    await server.sweep();
    const html = await (await fetch(page)).text();
    expect(html).toContain("Diese Bezahlseite ist geschlossen");
    expect(html).toContain(`${server.pageUrl}/subscription`);
    expect(html).not.toContain("<button>");
  });

  // SPEC 7 Users and subscriptions: "{plan:'premium', interval:'year' or 'month'}"
  // SPEC 9: "year, month; plan value premium"
  test("refuses a checkout for subscribers and without a valid plan and interval", async () => {
    const { person } = await start();
    await press(await checkout(person), "pay");
    const again = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "year" });
    expect(await refusal(again)).toBe("409 conflict");
    for (const body of [{}, { plan: "premium" }, { plan: "gold", interval: "year" }, { plan: "premium", interval: "week" }]) {
      const answer = await person.call("POST", "/subscriptions/account/checkout-session", body);
      expect(await refusal(answer)).toBe("400 badRequest");
    }
  });

  // SPEC 7 Users and subscriptions: "POST /subscriptions/create-checkout-session"
  test("serves the same checkout page through the older call", async () => {
    const { person } = await start();
    const answer = await person.call("POST", "/subscriptions/create-checkout-session", { plan: "premium" });
    const { url = "" } = await read(answer, 200, UrlAnswer);
    expect(await (await fetch(url)).text()).toContain("Parlance Premium");
  });

  test("makes checkout addresses unguessable and valid for an hour only", async () => {
    const { clock, server, person } = await start();
    const page = await checkout(person);
    expect((await fetch(`${server.apiUrl}/billing/test/guess`)).status).toBe(404);
    expect((await fetch(`${page}/end`, { method: "POST" })).status).toBe(404);
    clock.advance(60 * 60_000);
    expect((await fetch(page)).status).toBe(404);
    expect((await post(server, "/subscriptions/account/checkout-session", {})).status).toBe(401);
  });
});

describe("a subscription with test payments", () => {
  /** Advances the clock and does the due work. @returns the same person with a fresh token */
  async function later({ clock, server, person }: Awaited<ReturnType<typeof start>>, ms: number): Promise<Person> {
    clock.advance(ms);
    await server.sweep();
    return signInAgain(server, person);
  }

  async function subscribed() {
    const all = await start();
    await press(await checkout(all.person), "pay");
    return all;
  }

  test("renews a subscription at the end of its period, on the same day of the month", async () => {
    const person = await later(await subscribed(), 31 * day);
    expect(await subscriptionOf(person)).toMatchObject({ status: "active", currentPeriodEnd: "2026-05-01T12:00:00.000Z" });
    expect(await invoices(person)).toHaveLength(2);
  });

  test("charges a period once when two processes renew it and its owner cancels meanwhile", async () => {
    const { clock, server, person } = await subscribed();
    clock.advance(31 * day);
    const databases = await Promise.all([1, 2].map(() => openDb(server.dataDir, databaseUrl(server.dataDir))));
    onTestFinished(async () => void (await Promise.all(databases.map((db) => db.destroy()))));
    const [db] = databases;
    const before = await db?.selectFrom("subscriptions").selectAll().executeTakeFirstOrThrow();
    const user = await db?.selectFrom("users").selectAll().executeTakeFirstOrThrow();
    if (db === undefined || before === undefined || user === undefined) throw new Error("there is no subscription");
    await Promise.all(databases.map((database) => createTestBilling(database, clock.now).settle()));
    // `before` was read before the renewal.
    await createTestBilling(db, clock.now).cancel(user, before);
    const again = await signInAgain(server, person);
    expect(await invoices(again)).toHaveLength(2);
    expect(await subscriptionOf(again)).toMatchObject({
      cancelAtPeriodEnd: true,
      currentPeriodEnd: "2026-05-01T12:00:00.000Z",
    });
  });

  // SPEC 7 Users and subscriptions: "POST /subscriptions/cancel | none | not shown"
  // SPEC 7 Users and subscriptions: "POST /subscriptions/account/cancel-subscription"
  test.each(["/subscriptions/cancel", "/subscriptions/account/cancel-subscription"])(
    "keeps a subscription canceled with %s until the end of its period",
    async (path) => {
      const all = await subscribed();
      const answer = await read(await all.person.call("POST", path), 200, Subscription);
      expect(answer).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
      expect(await subscriptionOf(await later(all, 30 * day))).toMatchObject({ status: "active" });
      const person = await later(all, 2 * day);
      expect(await subscriptionOf(person)).toMatchObject({ status: "canceled" });
      expect(await read(await person.call("GET", "/users/me"), 200, UserProfile)).toMatchObject({ planType: "free" });
    },
  );

  // PROMISE payments: Test payments say so, and reach every state
  // SPEC 7 Users and subscriptions: "POST /subscriptions/account/billing-portal"
  test("marks a failed payment as past due, recovers when paid, and cancels after a week", async () => {
    const all = await subscribed();
    const { person } = all;
    const page = await portal(person);
    await press(page, "fail");
    expect((await subscriptionOf(person)).status).toBe("past_due");
    expect((await invoices(person)).map(({ status }) => status)).toContain("open");
    await press(page, "renew");
    expect((await subscriptionOf(person)).status).toBe("active");
    expect((await invoices(person)).map(({ status }) => status)).not.toContain("open");
    await press(page, "fail");
    expect((await subscriptionOf(await later(all, 6 * day))).status).toBe("past_due");
    expect((await subscriptionOf(await later(all, 2 * day))).status).toBe("canceled");
  });

  test("renews at most one period ahead and records a failure once, however often pressed", async () => {
    const { person } = await subscribed();
    const paid = async () => (await invoices(person)).map(({ status }) => status).toSorted();
    for (let times = 0; times < 10; times++) await press(await portal(person), "renew");
    expect((await subscriptionOf(person)).currentPeriodEnd).toBe("2026-05-01T12:00:00.000Z");
    expect(await paid()).toEqual(["paid", "paid"]);
    for (let times = 0; times < 10; times++) await press(await portal(person), "fail");
    expect(await paid()).toEqual(["open", "paid", "paid"]);
  });

  test("resumes a canceled subscription and lets the user buy again after its end", async () => {
    const { clock, person } = await subscribed();
    const page = await portal(person);
    await press(page, "cancel");
    await press(page, "resume");
    expect((await subscriptionOf(person)).cancelAtPeriodEnd).toBe(false);
    await press(page, "end");
    expect((await subscriptionOf(person)).status).toBe("canceled");
    // Two subscriptions that begin in the same millisecond have no order.
    clock.advance(1_000);
    await press(await checkout(person), "pay");
    expect((await subscriptionOf(person)).status).toBe("active");
  });

  test("answers 404 for cancellation and portal without a subscription", async () => {
    const { person } = await start();
    expect(await refusal(await person.call("POST", "/subscriptions/cancel"))).toBe("404 notFound");
    expect(await refusal(await person.call("POST", "/subscriptions/account/billing-portal"))).toBe("404 notFound");
    expect(await invoices(person)).toEqual([]);
  });
});
