import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { BillingHistory, Subscription, UrlAnswer, UserProfile } from "#contract/index.ts";
import { type Person, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";

const secret = "whsec_test";
const periodEnd = Date.UTC(2027, 0, 1) / 1000;

/** A server that speaks the calls that are used, as Stripe documents them; `subscription` is what it knows now. */
async function startStripe() {
  const calls: { method: string; path: string; form: URLSearchParams; key: string }[] = [];
  const state = { status: "active", cancel: false, userId: "", down: false };
  const subscription = () => ({
    id: "sub_1",
    object: "subscription",
    status: state.status,
    customer: "cus_1",
    created: 1_770_000_000,
    cancel_at_period_end: state.cancel,
    cancel_at: null,
    metadata: { userId: state.userId },
    items: { data: [{ current_period_end: periodEnd, price: { recurring: { interval: "year" } } }] },
  });
  const answers: Record<string, () => unknown> = {
    "POST /v1/checkout/sessions": () => ({ id: "cs_1", object: "checkout.session", url: "https://checkout.example/cs_1" }),
    "POST /v1/billing_portal/sessions": () => ({ id: "bps_1", url: "https://billing.example/bps_1" }),
    "GET /v1/subscriptions/sub_1": subscription,
    "POST /v1/subscriptions/sub_1": () => {
      state.cancel = true;
      return subscription();
    },
    "GET /v1/invoices": () => ({
      object: "list",
      has_more: false,
      data: [
        {
          id: "in_1",
          created: 1_770_000_000,
          total: 9600,
          currency: "eur",
          status: "paid",
          hosted_invoice_url: "https://i.example",
        },
      ],
    }),
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const path = (request.url ?? "").split("?", 1)[0] ?? "";
      const method = request.method ?? "";
      calls.push({ method, path, form: new URLSearchParams(body), key: request.headers.authorization ?? "" });
      const answer = state.down ? undefined : answers[`${method} ${path}`];
      response.writeHead(answer === undefined ? 400 : 200, { "Content-Type": "application/json" });
      response.end(
        JSON.stringify(answer?.() ?? { error: { type: "invalid_request_error", message: "sk_test_secret is wrong" } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const env = {
    STRIPE_SECRET_KEY: "sk_test_secret",
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_PRICE_MONTH: "price_month",
    STRIPE_PRICE_YEAR: "price_year",
    STRIPE_API_URL: `http://127.0.0.1:${address.port}`,
  };
  return { calls, state, env };
}

async function start() {
  const stripe = await startStripe();
  const server = await startTestServer({ env: stripe.env });
  const person = await signUp(server);
  stripe.state.userId = (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;
  /** Tells the server something, signed as Stripe signs. */
  const deliver = (event: unknown, { key = secret, at = Date.now() } = {}) => {
    const body = JSON.stringify(event);
    const time = Math.floor(at / 1000);
    const signature = createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
    const headers = { "Content-Type": "application/json", "Stripe-Signature": `t=${time},v1=${signature}` };
    return fetch(`${server.apiUrl}/webhooks/stripe`, { method: "POST", headers, body });
  };
  return { ...stripe, server, person, deliver };
}

let events = 0;
const event = (type: string, object: unknown = { id: "sub_1" }) => ({
  id: `evt_${events++}`,
  object: "event",
  type,
  data: { object },
});
const own = (person: Person) => person.call("GET", "/subscriptions/account/subscription");

test("a checkout is made at Stripe, for this person and the chosen price", async () => {
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

test("when Stripe refuses, the answer says so, and nothing of what it said", async () => {
  const { person, state } = await start();
  state.down = true;
  const answer = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "year" });
  expect(await answer.clone().text()).not.toContain("sk_test_secret");
  expect(await refusal(answer)).toBe("502 network");
});

describe("what Stripe tells", () => {
  test.each([
    ["checkout.session.completed", { id: "cs_1", subscription: "sub_1" }],
    ["customer.subscription.created", { id: "sub_1" }],
    ["invoice.paid", { id: "in_1", parent: { subscription_details: { subscription: "sub_1" } } }],
  ])("with %s makes the subscription what it is there", async (type, object) => {
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
  test("comes in any order: an older event does not bring an older state back", async () => {
    const { person, state, deliver } = await start();
    const created = event("customer.subscription.created");
    state.status = "canceled";
    await deliver(event("customer.subscription.deleted"));
    await deliver(created);
    expect((await read(await own(person), 200, Subscription)).status).toBe("canceled");
  });

  test("twice is looked up once; what could not be looked up is delivered again", async () => {
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
  ])("signed %s is refused", async (_, signature) => {
    const { person, deliver } = await start();
    expect(await refusal(await deliver(event("customer.subscription.updated"), signature))).toBe("403 forbidden");
    expect((await own(person)).status).toBe(404);
  });

  test("about somebody else's subscription changes nothing", async () => {
    const { person, state, deliver } = await start();
    state.userId = "somebody of another product";
    expect((await deliver(event("customer.subscription.updated"))).status).toBe(200);
    expect((await own(person)).status).toBe(404);
  });
});

// SPEC 7 Users and subscriptions: "POST /subscriptions/account/billing-portal"
test("cancelling, the portal and the invoices are Stripe's", async () => {
  const { person, deliver } = await start();
  await deliver(event("customer.subscription.created"));
  const cancelled = await read(await person.call("POST", "/subscriptions/account/cancel-subscription"), 200, Subscription);
  expect(cancelled).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const portal = await person.call("POST", "/subscriptions/account/billing-portal");
  expect(await read(portal, 200, UrlAnswer)).toEqual({ url: "https://billing.example/bps_1" });
  const { invoices } = await read(await person.call("GET", "/subscriptions/account/invoices"), 200, BillingHistory);
  expect(invoices).toMatchObject([{ id: "in_1", amount: 9600, currency: "EUR", status: "paid", url: "https://i.example" }]);
});

test("a key without its webhook's secret stops the start", async () => {
  await expect(startTestServer({ env: { STRIPE_SECRET_KEY: "sk" } })).rejects.toThrow("STRIPE_WEBHOOK_SECRET is needed");
});
