import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BillingHistory, Subscription, UrlAnswer, UserProfile } from "#contract/index.ts";
import { type Person, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { secret, startStripe } from "./stripe-server.ts";

async function start() {
  const stripe = await startStripe();
  const log: string[] = [];
  const server = await startTestServer({ env: stripe.env, writeLog: (line) => log.push(line) });
  const person = await signUp(server);
  stripe.state.userId = (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;
  /** Delivers an event, signed as Stripe signs it. */
  const deliver = (event: unknown, { key = secret, at = Date.now() } = {}) => {
    const body = JSON.stringify(event);
    const time = Math.floor(at / 1000);
    const signature = createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
    const headers = { "Content-Type": "application/json", "Stripe-Signature": `t=${time},v1=${signature}` };
    return fetch(`${server.apiUrl}/webhooks/stripe`, { method: "POST", headers, body });
  };
  return { ...stripe, log, server, person, deliver };
}

let events = 0;
const event = (type: string, object: unknown = { id: "sub_1" }) => ({
  id: `evt_${events++}`,
  object: "event",
  type,
  data: { object },
});
const own = (person: Person) => person.call("GET", "/subscriptions/account/subscription");

test("creates a Stripe checkout for the user with the chosen price", async () => {
  const { calls, person, server, state } = await start();
  const body = { plan: "premium", interval: "year" };
  const answer = await person.call("POST", "/subscriptions/account/checkout-session", body);
  expect(await read(answer, 200, UrlAnswer)).toEqual({ url: "https://checkout.example/cs_1" });
  const [call] = calls;
  expect(call?.key).toBe("Bearer sk_test_secret");
  expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
    mode: "subscription",
    "line_items[0][price]": "price_year",
    client_reference_id: state.userId,
    customer_email: person.email,
    "subscription_data[metadata][userId]": state.userId,
    success_url: `${server.pageUrl}/subscription-success`,
    cancel_url: `${server.pageUrl}/subscription-cancelled?plan=premium&interval=year`,
  });
});

test("reports a refusal by Stripe without Stripe's own message", async () => {
  const { person, state } = await start();
  state.down = true;
  const answer = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "year" });
  expect(await answer.clone().text()).not.toContain("sk_test_secret");
  expect(await refusal(answer)).toBe("502 network");
});

describe("protection against double payment", () => {
  type Interval = "year" | "month";
  const press = (person: Person, interval: Interval = "year") =>
    person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval });
  const pageOf = async (answer: Promise<Response>) => (await read(await answer, 200, UrlAnswer)).url;

  test("reuses one open checkout page, closes it for another plan, and replaces an ended page", async () => {
    const { person, sessions } = await start();
    const pages = await Promise.all(Array.from({ length: 10 }, () => pageOf(press(person))));
    expect(new Set(pages)).toEqual(new Set(["https://checkout.example/cs_1"]));
    expect(await pageOf(press(person))).toBe("https://checkout.example/cs_1");
    expect(await pageOf(press(person, "month"))).toBe("https://checkout.example/cs_2");
    expect([...sessions.values()].map(({ status }) => status)).toEqual(["expired", "open"]);
    sessions.set("cs_2", { id: "cs_2", status: "expired", subscription: null });
    expect(await pageOf(press(person, "month"))).toBe("https://checkout.example/cs_3");
    // The operator has switched to another Stripe account.
    sessions.delete("cs_3");
    sessions.set("cs_another", { id: "cs_another", status: "open", subscription: null });
    expect((await press(person, "month")).status).toBe(200);
  });

  test("leaves one open page when both plans are requested at the same moment", async () => {
    const { person, sessions } = await start();
    const intervals: Interval[] = ["year", "month", "year", "month", "month", "year"];
    const answers = await Promise.all(intervals.map((interval) => press(person, interval)));
    expect(answers.map(({ status }) => status)).toEqual(intervals.map(() => 200));
    expect([...sessions.values()].filter(({ status }) => status === "open")).toHaveLength(1);
  });

  test("finds a payment on the next request even before Stripe's event arrives", async () => {
    const { person, sessions, subscriptions } = await start();
    await press(person);
    sessions.set("cs_1", { id: "cs_1", status: "complete", subscription: "sub_1" });
    expect(await refusal(await press(person, "month"))).toBe("409 conflict");
    expect((await read(await own(person), 200, Subscription)).id).toBe("sub_1");
    expect(sessions.size).toBe(1);
    for (const status of ["past_due", "trialing"]) {
      subscriptions.set("sub_1", { status, cancel: false, created: 1 });
      expect(await refusal(await press(person))).toBe("409 conflict");
    }
    subscriptions.set("sub_1", { status: "canceled", cancel: false, created: 1 });
    expect(await pageOf(press(person))).toBe("https://checkout.example/cs_2");
  });

  test("closes the checkout page when premium is granted or the account is deleted", async () => {
    const { server, person, sessions, state } = await start();
    await press(person);
    const admin = await signUpSuperuser(server);
    const periodEnd = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString();
    const grant = { plan: "premium", periodEnd, reason: "A gift" };
    expect((await admin.call("PATCH", `/admin/users/${state.userId}/subscription`, grant)).status).toBe(200);
    expect(sessions.get("cs_1")?.status).toBe("expired");
    expect(await refusal(await press(person))).toBe("409 conflict");
    const leaving = await signUp(server);
    await press(leaving);
    expect((await leaving.call("DELETE", "/users/me", { password: "correct horse" })).status).toBe(204);
    expect(sessions.get("cs_2")?.status).toBe("expired");
  });

  test.each([
    ["older", ["sub_1", "sub_2"]],
    ["newer", ["sub_2", "sub_1"]],
  ])("refunds and ends the newer of two paid subscriptions (the %s arrives first)", async (_, order) => {
    const { person, subscriptions, refunds, deliver, log } = await start();
    subscriptions.set("sub_2", { status: "active", cancel: false, created: 1_770_000_001 });
    for (const id of [...order, ...order]) await deliver(event("customer.subscription.updated", { id }));
    await deliver(event("customer.subscription.deleted", { id: "sub_2" }));
    expect(refunds).toEqual(["pi_in_sub_2"]);
    expect([...subscriptions.values()].map(({ status }) => status)).toEqual(["active", "canceled"]);
    expect(await read(await own(person), 200, Subscription)).toMatchObject({ id: "sub_1", status: "active" });
    expect((await read(await person.call("GET", "/users/me"), 200, UserProfile)).planType).toBe("premium");
    const said = log.filter((line) => line.includes("paid for two subscriptions"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("sub_2");
  });

  test("keeps a new subscription when the event for the ended one is late", async () => {
    const { person, subscriptions, refunds, deliver } = await start();
    await deliver(event("customer.subscription.created"));
    subscriptions.set("sub_1", { status: "canceled", cancel: false, created: 1 });
    subscriptions.set("sub_2", { status: "active", cancel: false, created: 2 });
    await deliver(event("customer.subscription.created", { id: "sub_2" }));
    expect(refunds).toEqual([]);
    expect(await read(await own(person), 200, Subscription)).toMatchObject({ id: "sub_2", status: "active" });
  });
});

describe("Stripe's webhook", () => {
  test.each([
    ["checkout.session.completed", { id: "cs_1", subscription: "sub_1" }],
    ["customer.subscription.created", { id: "sub_1" }],
    ["invoice.paid", { id: "in_1", parent: { subscription_details: { subscription: "sub_1" } } }],
  ])("applies the subscription's state at Stripe after %s", async (type, object) => {
    const { person, deliver } = await start();
    expect((await deliver(event(type, object))).status).toBe(200);
    expect(await read(await own(person), 200, Subscription)).toEqual({
      id: "sub_1",
      status: "active",
      plan: "premium",
      interval: "year",
      cancelAtPeriodEnd: false,
      currentPeriodEnd: "2027-01-01T00:00:00.000Z",
    });
  });

  // PROMISE payments: Stripe's payments work, with its webhook in any order
  test("ignores an older event that arrives late", async () => {
    const { person, subscriptions, deliver } = await start();
    const created = event("customer.subscription.created");
    subscriptions.set("sub_1", { status: "canceled", cancel: false, created: 1 });
    await deliver(event("customer.subscription.deleted"));
    await deliver(created);
    expect((await read(await own(person), 200, Subscription)).status).toBe("canceled");
  });

  test("looks up a repeated event once and retries one whose lookup failed", async () => {
    const { calls, person, state, deliver } = await start();
    const updated = event("customer.subscription.updated");
    state.down = true;
    expect((await deliver(updated)).status).toBe(502);
    state.down = false;
    expect((await deliver(updated)).status).toBe(200);
    expect((await deliver(updated)).status).toBe(200);
    expect(calls.filter(({ path }) => path === "/v1/subscriptions/sub_1")).toHaveLength(2);
    expect((await own(person)).status).toBe(200);
  });

  test.each([
    ["with another secret", { key: "whsec_other" }],
    ["an hour ago", { at: Date.now() - 60 * 60_000 }],
  ])("refuses an event signed %s", async (_, signature) => {
    const { person, deliver } = await start();
    expect(await refusal(await deliver(event("customer.subscription.updated"), signature))).toBe("403 forbidden");
    expect((await own(person)).status).toBe(404);
  });

  test("ignores an event about another product's subscription", async () => {
    const { person, state, deliver } = await start();
    state.userId = "somebody of another product";
    expect((await deliver(event("customer.subscription.updated"))).status).toBe(200);
    expect((await own(person)).status).toBe(404);
  });
});

// SPEC 7 Users and subscriptions: "POST /subscriptions/account/billing-portal"
test("forwards cancellation, portal and invoices to Stripe", async () => {
  const { person, deliver } = await start();
  await deliver(event("customer.subscription.created"));
  const cancelled = await read(await person.call("POST", "/subscriptions/account/cancel-subscription"), 200, Subscription);
  expect(cancelled).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const portal = await person.call("POST", "/subscriptions/account/billing-portal");
  expect(await read(portal, 200, UrlAnswer)).toEqual({ url: "https://billing.example/bps_1" });
  const { invoices } = await read(await person.call("GET", "/subscriptions/account/invoices"), 200, BillingHistory);
  expect(invoices).toMatchObject([{ id: "in_1", amount: 9600, currency: "EUR", status: "paid", url: "https://i.example" }]);
});

test("refuses to start with a Stripe key but without its webhook secret", async () => {
  await expect(startTestServer({ env: { STRIPE_SECRET_KEY: "sk" } })).rejects.toThrow("STRIPE_WEBHOOK_SECRET is required");
});
