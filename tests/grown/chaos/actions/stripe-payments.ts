import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { UserProfile } from "#contract/index.ts";
import { type Asking, Contradiction } from "#tests/grown/chaos/asking.ts";
import { type Person, read } from "#tests/server/harness.ts";
import { checkout, expectStatus, type Payments, subscriptionOf } from "./payments.ts";

const secret = "whsec_chaos";
const periodEnd = Date.UTC(2099, 0, 1) / 1000;

interface Sold {
  id: string;
  userId: string;
  status: "active" | "canceled";
  /** Unix time in seconds. */
  created: number;
}

/** A checkout session. */
interface Session {
  id: string;
  object: "checkout.session";
  client_reference_id: string;
  status: "open" | "complete" | "expired";
  url: string | null;
  subscription: string | null;
}

/**
 * A provider with the part of Stripe's documented API that the product uses. It repeats each webhook until the webhook
 * is acknowledged, and sometimes once more.
 */
export class StripePayments implements Payments {
  readonly env: Record<string, string>;
  readonly #sessions = new Map<string, Session>();
  readonly #sold = new Map<string, Sold>();
  readonly #close: () => Promise<void>;
  #created = Math.floor(Date.now() / 1000);

  private constructor(port: number, close: () => Promise<void>) {
    this.#close = close;
    this.env = {
      STRIPE_SECRET_KEY: "sk_test_secret",
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_PRICE_MONTH: "price_month",
      STRIPE_PRICE_YEAR: "price_year",
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
    };
  }

  static async open(): Promise<StripePayments> {
    let answer = (_path: string, _form: URLSearchParams): unknown => undefined;
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const found = answer((request.url ?? "").split("?", 1)[0] ?? "", new URLSearchParams(body));
        response.writeHead(found === undefined ? 404 : 200, { "Content-Type": "application/json" });
        response.end(JSON.stringify(found ?? { error: { type: "invalid_request_error" } }));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const payments = new StripePayments(address.port, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    answer = (path, form) => payments.#answer(path, form);
    return payments;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async pay(person: Person, asking: Asking): Promise<void> {
    const page = await checkout(person, asking);
    const session = this.#sessions.get(page.split("/").at(-1) ?? "");
    if (session?.status !== "open") throw new Contradiction(`${person.email} was sent to ${page}, where nothing can be paid`);
    this.#created = Math.max(this.#created + 1, Math.floor(Date.now() / 1000));
    const userId = session.client_reference_id;
    const sold: Sold = { id: `sub_${this.#sold.size + 1}`, userId, status: "active", created: this.#created };
    this.#sold.set(sold.id, sold);
    Object.assign(session, { status: "complete", url: null, subscription: sold.id });
    await this.#tell(person, asking, "customer.subscription.created", sold);
    await expectStatus(person, asking, "active");
  }

  async end(person: Person, asking: Asking): Promise<void> {
    const { id } = await asking.until(`the subscription of ${person.email}`, () => subscriptionOf(person));
    const sold = this.#sold.get(id);
    if (sold === undefined) throw new Contradiction(`${person.email} has a subscription that was never sold: ${id}`);
    sold.status = "canceled";
    await this.#tell(person, asking, "customer.subscription.deleted", sold);
    await expectStatus(person, asking, "canceled");
  }

  async faults(person: Person): Promise<string[]> {
    const { id: userId } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
    const last = [...this.#sold.values()].findLast((sold) => sold.userId === userId);
    if (last === undefined) return [];
    const { id, status } = await subscriptionOf(person);
    const isSame = id === last.id && status === last.status;
    return isSame ? [] : [`${person.email} has the subscription ${id} (${status}) instead of ${last.id} (${last.status})`];
  }

  /** Sends the event until it is acknowledged, and then once more, as happens with Stripe. */
  async #tell(person: Person, asking: Asking, type: string, { id }: Sold): Promise<void> {
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: "event", type, data: { object: { id } } });
    const deliver = async () => {
      const time = Math.floor(Date.now() / 1000);
      const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
      const headers = { "Content-Type": "application/json", "Stripe-Signature": `t=${time},v1=${signature}` };
      const answer = await fetch(`${person.apiUrl}/webhooks/stripe`, { method: "POST", headers, body });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${text}`);
      return text;
    };
    await asking.until(`the webhook ${type} about ${person.email}`, deliver);
    await asking.until(`the same webhook ${type} again`, deliver);
  }

  #answer(path: string, form: URLSearchParams): unknown {
    const [, sessionId, action] = /^\/v1\/checkout\/sessions\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (sessionId !== undefined) {
      const session = this.#sessions.get(sessionId);
      if (action === "expire" && session?.status === "open") Object.assign(session, { status: "expired", url: null });
      return session;
    }
    if (path === "/v1/checkout/sessions") {
      const id = `cs_${this.#sessions.size + 1}`;
      const client_reference_id = form.get("client_reference_id") ?? "";
      const page = { status: "open" as const, url: `https://checkout.example/${id}`, subscription: null };
      const session: Session = { id, object: "checkout.session", client_reference_id, ...page };
      this.#sessions.set(id, session);
      return session;
    }
    const sold = this.#sold.get(path.replace("/v1/subscriptions/", ""));
    return sold && subscriptionObject(sold);
  }
}

function subscriptionObject({ id, userId, status, created }: Sold) {
  return {
    id,
    object: "subscription",
    status,
    customer: `cus_${userId}`,
    created,
    cancel_at_period_end: false,
    cancel_at: null,
    metadata: { userId },
    items: { data: [{ current_period_end: periodEnd, price: { recurring: { interval: "month" } } }] },
  };
}
