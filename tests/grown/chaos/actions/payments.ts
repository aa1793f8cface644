import { BillingHistory, Subscription, UrlAnswer } from "#contract/index.ts";
import { type Asking, Contradiction } from "#tests/grown/chaos/asking.ts";
import { type Person, read } from "#tests/server/harness.ts";

/** A payment provider for a user who subscribes and cancels again and again. */
export interface Payments {
  /** Pays. Resolves when everything is acknowledged: the user is sent to the success page. */
  pay(person: Person, asking: Asking): Promise<void>;
  /** Ends the subscription at once. */
  end(person: Person, asking: Asking): Promise<void>;
  /** Differences between the acknowledged payments and the server's, while this user does nothing. */
  faults(person: Person): Promise<string[]>;
}

const account = "/subscriptions/account";

/** @returns the address of the payment page */
export function checkout(person: Person, asking: Asking): Promise<string> {
  const body = { plan: "premium", interval: "month" };
  return asking.until(`a checkout of ${person.email}`, async () => {
    const { url } = await read(await person.call("POST", `${account}/checkout-session`, body), 200, UrlAnswer);
    return url ?? "";
  });
}

export async function subscriptionOf(person: Person): Promise<Subscription> {
  return read(await person.call("GET", `${account}/subscription`), 200, Subscription);
}

/** Checks that the subscription has this status from now on. @throws Contradiction */
export async function expectStatus(person: Person, asking: Asking, status: "active" | "canceled"): Promise<void> {
  const found = await asking.until(`the subscription of ${person.email}`, () => subscriptionOf(person));
  if (found.status === status) return;
  throw new Contradiction(
    `a payment or its end was acknowledged: the subscription of ${person.email} is ${found.status}, not ${status}`,
  );
}

/** The test payments (server/subscription/test-billing.ts): pages of the server itself. */
export class TestPayments implements Payments {
  /** Number of payments by e-mail address. */
  readonly #paid = new Map<string, number>();

  async pay(person: Person, asking: Asking): Promise<void> {
    const page = await checkout(person, asking);
    await press(asking, page, "pay");
    this.#paid.set(person.email, (this.#paid.get(person.email) ?? 0) + 1);
    await expectStatus(person, asking, "active");
  }

  async end(person: Person, asking: Asking): Promise<void> {
    const page = await asking.until(`the billing portal of ${person.email}`, async () => {
      const { url } = await read(await person.call("POST", `${account}/billing-portal`), 200, UrlAnswer);
      return url ?? "";
    });
    await press(asking, page, "end");
    await expectStatus(person, asking, "canceled");
  }

  async faults(person: Person): Promise<string[]> {
    const { invoices } = await read(await person.call("GET", `${account}/invoices`), 200, BillingHistory);
    const paid = this.#paid.get(person.email) ?? 0;
    const found = invoices.filter(({ status }) => status === "paid").length;
    // The server shows the newest hundred.
    return found === Math.min(paid, 100) ? [] : [`${person.email} has paid ${paid} times and has ${found} invoices`];
  }
}

async function press(asking: Asking, page: string, button: string): Promise<void> {
  await asking.until(`pressing "${button}" on a page of the test payments`, async () => {
    const answer = await fetch(`${page}/${button}`, { method: "POST", redirect: "manual" });
    const text = await answer.text();
    if (answer.status !== 303) throw new Error(`expected 303, got ${answer.status}: ${text}`);
    return answer.status;
  });
}
