import type Stripe from "stripe";
import type { Db } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import { isPremiumStatus, isRunningStatus, listRunning } from "./queries.ts";
import { asking, askingUnless, nameOf } from "./stripe-answers.ts";

interface Parts {
  db: Db;
  stripe: Stripe;
  log: Log;
  /** Stores a subscription as Stripe has it now. */
  fetchStored: (id: string) => Promise<{ subscription: Stripe.Subscription }>;
}

/**
 * If a user has several running subscriptions, keeps one: premium before past due, then the oldest, in whatever order
 * the events come. The others end at once, and their last payment is refunded.
 */
export async function endDuplicates({ db, stripe, log, fetchStored }: Parts, userId: string): Promise<void> {
  const known = await listRunning(db, "stripe", userId);
  if (known.length < 2) return;
  // Fetched again, because the event that one has ended may still be on its way.
  const asked = await Promise.all(known.map(({ id }) => fetchStored(id)));
  const running = asked.map(({ subscription }) => subscription).filter(({ status }) => isRunningStatus(status));
  const [kept, ...others] = running.toSorted((a, b) => rankOf(a) - rankOf(b) || a.created - b.created || (a.id < b.id ? -1 : 1));
  for (const { id, latest_invoice } of others) {
    const facts = { account: userId, kept: kept?.id, cancelled: id };
    log.error("a person has paid for two subscriptions: one is cancelled and its last payment refunded", facts);
    // Refund first: while the subscription runs, an event that failed here is retried.
    await refund(stripe, nameOf(latest_invoice));
    await askingUnless("resource_missing", stripe.subscriptions.cancel(id));
    await fetchStored(id);
  }
}

const rankOf = ({ status }: Stripe.Subscription): number => (isPremiumStatus(status) ? 0 : 1);

/** Refunds the payment of an invoice, once. */
async function refund(stripe: Stripe, invoice: string | undefined): Promise<void> {
  if (invoice === undefined) return;
  const { data } = await asking(stripe.invoicePayments.list({ invoice, status: "paid" }));
  for (const { id, payment } of data) {
    const payment_intent = nameOf(payment.payment_intent);
    if (payment_intent === undefined) continue;
    const made = stripe.refunds.create({ payment_intent, reason: "duplicate" }, { idempotencyKey: `refund-${id}` });
    await askingUnless("charge_already_refunded", made);
  }
}
