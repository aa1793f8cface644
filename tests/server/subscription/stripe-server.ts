import { createServer } from "node:http";
import { onTestFinished } from "vitest";

export const secret = "whsec_test";
const periodEnd = Date.UTC(2027, 0, 1) / 1000;

interface Session {
  id: string;
  status: "open" | "complete" | "expired";
  subscription: string | null;
}

interface Call {
  method: string;
  path: string;
  form: URLSearchParams;
  key: string;
}

/**
 * A fake Stripe server for the calls that the product uses, as Stripe documents them. Tests change `subscriptions` and
 * `sessions` as a payment, or time, would.
 */
export async function startStripe() {
  const calls: Call[] = [];
  const state = { userId: "", down: false };
  const subscriptions = new Map([["sub_1", { status: "active", cancel: false, created: 1_770_000_000 }]]);
  const sessions = new Map<string, Session>();
  /** Answers by idempotency key. */
  const answered = new Map<string, unknown>();
  const refunds: string[] = [];
  const subscription = (id: string) => {
    const known = subscriptions.get(id);
    return (
      known && {
        id,
        object: "subscription",
        status: known.status,
        customer: "cus_1",
        created: known.created,
        cancel_at_period_end: known.cancel,
        cancel_at: null,
        latest_invoice: `in_${id}`,
        metadata: { userId: state.userId },
        items: { data: [{ current_period_end: periodEnd, price: { recurring: { interval: "year" } } }] },
      }
    );
  };
  const session = (id: string) => {
    const known = sessions.get(id);
    return known && { ...known, object: "checkout.session", url: `https://checkout.example/${id}` };
  };
  /** undefined: Stripe refuses the call. */
  const answer = (call: string, id: string, form: URLSearchParams): unknown => {
    switch (call) {
      case "POST /v1/checkout/sessions": {
        const made = `cs_${sessions.size + 1}`;
        sessions.set(made, { id: made, status: "open", subscription: null });
        return session(made);
      }
      case "GET /v1/checkout/sessions/:id":
        return session(id);
      case "POST /v1/checkout/sessions/:id/expire": {
        const known = sessions.get(id);
        if (known?.status !== "open") return undefined;
        known.status = "expired";
        return session(id);
      }
      case "POST /v1/billing_portal/sessions":
        return { id: "bps_1", url: "https://billing.example/bps_1" };
      case "GET /v1/subscriptions/:id":
        return subscription(id);
      case "POST /v1/subscriptions/:id": {
        const known = subscriptions.get(id);
        if (known !== undefined) known.cancel = true;
        return subscription(id);
      }
      case "DELETE /v1/subscriptions/:id": {
        const known = subscriptions.get(id);
        if (known === undefined || known.status === "canceled") return undefined;
        known.status = "canceled";
        return subscription(id);
      }
      case "GET /v1/invoice_payments": {
        const invoice = form.get("invoice");
        const paid = { id: `inpay_${invoice}`, payment: { type: "payment_intent", payment_intent: `pi_${invoice}` } };
        return { object: "list", has_more: false, data: [paid] };
      }
      case "POST /v1/refunds":
        refunds.push(form.get("payment_intent") ?? "");
        return { id: `re_${refunds.length}` };
      case "GET /v1/invoices": {
        const facts = { created: 1_770_000_000, total: 9600, currency: "eur", status: "paid" };
        return { object: "list", has_more: false, data: [{ id: "in_1", ...facts, hosted_invoice_url: "https://i.example" }] };
      }
      default:
        return undefined;
    }
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { pathname: path, searchParams } = new URL(request.url ?? "", "http://stripe");
      const method = request.method ?? "";
      const form = new URLSearchParams(body === "" ? searchParams : body);
      calls.push({ method, path, form, key: request.headers.authorization ?? "" });
      const id = /\/((?:cs|sub)_\w+)/.exec(path)?.[1] ?? "";
      const once = request.headers["idempotency-key"]?.toString() ?? `${calls.length}`;
      const made = state.down
        ? undefined
        : (answered.get(once) ?? answer(`${method} ${path.replace(id || ":id", ":id")}`, id, form));
      if (made !== undefined) answered.set(once, made);
      response.writeHead(made === undefined ? (method === "POST" ? 400 : 404) : 200, { "Content-Type": "application/json" });
      const code = method === "POST" ? {} : { code: "resource_missing" };
      const error = { type: "invalid_request_error", message: "sk_test_secret is wrong", ...code };
      response.end(JSON.stringify(made ?? { error }));
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
  return { calls, state, subscriptions, sessions, refunds, env };
}
