import Stripe from "stripe";
import type { Invoice } from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Log } from "#server/log/log.ts";
import { findUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { type Billing, cancelledPath, type Interval } from "./billing.ts";
import { deleteBillingEventsReceivedBy, insertBillingEvent, isBillingEventKnown } from "./billing-queries.ts";
import { findSubscriber, findSubscriptionWith, isRunningStatus, type SubscriptionRow, storeSubscription } from "./queries.ts";
import { asking, nameOf } from "./stripe-answers.ts";
import { createCheckouts } from "./stripe-checkouts.ts";
import { endDuplicates } from "./stripe-duplicates.ts";

export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  prices: { month: string; year: string };
  /** The API's URL, if not Stripe's. */
  server: { host?: string; port?: string; protocol?: "http" | "https" };
}

/** Stripe retries events for three days. A later duplicate is fetched again, which changes nothing. */
const rememberMs = 7 * 24 * 60 * 60_000;

export interface StripeBilling extends Billing {
  /**
   * Handles a webhook. The event only names the changed subscription, whose state is then fetched, so that events may
   * be duplicated and arrive in any order.
   * @param body the raw bytes
   * @throws Problem `forbidden` for an invalid signature
   */
  receive(body: string, signature: string | undefined): Promise<void>;
}

export function createStripeBilling({ db, now, log }: Parts, config: StripeConfig): StripeBilling {
  const stripe = new Stripe(config.secretKey, { ...config.server, maxNetworkRetries: 2, timeout: 20_000, telemetry: false });
  const fetchStored = async (id: string) => {
    const asked = now();
    const subscription = await asking(stripe.subscriptions.retrieve(id));
    const userId = await ownerOf(db, subscription);
    if (userId !== undefined) await storeSubscription(db, rowOf(subscription, userId, asked));
    return { subscription, userId };
  };
  const sync = async (id: string) => {
    const { subscription, userId } = await fetchStored(id);
    if (userId !== undefined) return endDuplicates({ db, stripe, log, fetchStored }, userId);
    // Otherwise the subscription belongs to another application with the same Stripe account.
    if (isRunningStatus(subscription.status) && !endsAlready(subscription) && hasPriceOf(config, subscription)) {
      log.error("a payer has no account: refund and cancel this at Stripe", { subscription: subscription.id });
    }
  };
  const checkouts = createCheckouts({ db, now, stripe, sync });
  return {
    id: "stripe",
    checkout: async (user, interval, { page }) => {
      const known = await findSubscriptionWith(db, "stripe", user.id);
      return checkouts.open(user.id, checkoutOf(user, known, { price: config.prices[interval], interval, page }));
    },
    closeCheckout: (user) => checkouts.closeOf(user.id),
    cancel: async (_, row) => {
      const id = idOf(row);
      await asking(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
      await sync(id);
    },
    portal: async (_, row, { page }) => {
      if (row.customer_id === null) throw new Problem("notFound", "There is no checkout to pay for.");
      const session = { customer: row.customer_id, return_url: `${page}/subscription` };
      return (await asking(stripe.billingPortal.sessions.create(session))).url;
    },
    invoices: async (_, row) => {
      if (row.customer_id === null) return [];
      const { data } = await asking(stripe.invoices.list({ customer: row.customer_id, limit: 100 }));
      return data.map(invoiceOf);
    },
    settle: async () => {
      await deleteBillingEventsReceivedBy(db, now() - rememberMs);
      await checkouts.forgetClosed();
    },
    receive: async (body, signature) => {
      const event = await verified(stripe, config, body, signature, now());
      if (await isBillingEventKnown(db, event.id)) return;
      const id = subscriptionOf(event);
      if (id !== undefined) await sync(id);
      // Recorded last: an event whose processing failed is sent again.
      await insertBillingEvent(db, event.id, now());
    },
  };
}

interface Parts extends DbParts {
  log: Log;
}

const endsAlready = (subscription: Stripe.Subscription): boolean =>
  subscription.cancel_at_period_end || subscription.cancel_at !== null;

const hasPriceOf = ({ prices }: StripeConfig, { items }: Stripe.Subscription): boolean =>
  items.data.some(({ price }) => price.id === prices.month || price.id === prices.year);

interface Wanted {
  /** Stripe's id of the price. */
  price: string;
  interval: Interval;
  /** The page's origin. */
  page: string;
}

function checkoutOf(user: User, known: SubscriptionRow | undefined, { price, interval, page }: Wanted) {
  const customer = known?.customer_id ?? null;
  return {
    mode: "subscription" as const,
    line_items: [{ price, quantity: 1 }],
    success_url: `${page}/subscription-success`,
    cancel_url: `${page}${cancelledPath(interval)}`,
    client_reference_id: user.id,
    subscription_data: { metadata: { userId: user.id } },
    ...(customer === null ? { customer_email: user.email } : { customer }),
  };
}

async function verified(stripe: Stripe, config: StripeConfig, body: string, signature: string | undefined, at: number) {
  try {
    return await stripe.webhooks.constructEventAsync(body, signature ?? "", config.webhookSecret, undefined, undefined, at);
  } catch (cause) {
    throw new Problem("forbidden", "The signature is wrong.", { cause });
  }
}

function subscriptionOf(event: Stripe.Event): string | undefined {
  switch (event.type) {
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
      return event.data.object.id;
    case "checkout.session.completed":
      return nameOf(event.data.object.subscription);
    case "invoice.paid":
    case "invoice.payment_failed":
      return nameOf(event.data.object.parent?.subscription_details?.subscription);
    default:
      return undefined;
  }
}

/** The owner's id; undefined when it belongs to no user here. */
async function ownerOf(db: Db, subscription: Stripe.Subscription): Promise<string | undefined> {
  const owner = await findSubscriber(db, "stripe", subscription.id);
  const named = owner ?? subscription.metadata.userId ?? "";
  return (await findUser(db, named))?.id;
}

function rowOf(subscription: Stripe.Subscription, userId: string, asked: number) {
  const [item] = subscription.items.data;
  const interval: Interval = item?.price.recurring?.interval === "year" ? "year" : "month";
  return {
    id: subscription.id,
    external_id: subscription.id,
    user_id: userId,
    status: subscription.status,
    plan: "premium",
    interval,
    period_end: item === undefined ? null : (subscription.cancel_at ?? item.current_period_end) * 1000,
    cancel_at_period_end: endsAlready(subscription) ? 1 : 0,
    created_at: subscription.created * 1000,
    provider: "stripe" as const,
    customer_id: nameOf(subscription.customer) ?? null,
    synced_at: asked,
  };
}

function invoiceOf(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id ?? "",
    date: new Date(invoice.created * 1000).toISOString(),
    amount: invoice.total,
    currency: invoice.currency.toUpperCase(),
    status: invoice.status ?? "draft",
    url: invoice.hosted_invoice_url ?? null,
  };
}

function idOf(row: SubscriptionRow): string {
  if (row.provider !== "stripe" || row.external_id === null) throw new Problem("notFound", "There is no subscription to cancel.");
  return row.external_id;
}
