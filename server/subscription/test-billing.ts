import { randomUUID } from "node:crypto";
import { type InterfaceLanguage, type Invoice, prices } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { Problem } from "#server/errors/problem.ts";
import { hashOf, newSecret } from "#server/session/secrets.ts";
import type { Billing, BillingAddresses, Interval } from "./billing.ts";
import {
  closeCheckoutPages,
  deleteBillingPagesExpiredBy,
  findBillingPage,
  finishBillingPage,
  type InvoiceRow,
  insertBillingPage,
  insertInvoice,
  listInvoices,
  voidOpenInvoices,
} from "./billing-queries.ts";
import {
  findSubscription,
  findSubscriptionById,
  isPremiumStatus,
  isRunningStatus,
  listDueSubscriptions,
  refuseSecond,
  type SubscriptionRow,
  storeSubscription,
} from "./queries.ts";

/** Lifetime of page URLs, which authenticate the user (milliseconds). */
const pageLifeMs = 60 * 60_000;
/** How long a closed page says that it is closed (milliseconds). */
const closedMs = 24 * 60 * 60_000;
/** A failed payment is retried for this long, then the subscription ends (milliseconds). */
const graceMs = 7 * 24 * 60 * 60_000;

/** Statuses in which a period ends with a payment, or with the end of the subscription. */
const dueStatuses: readonly string[] = ["active", "trialing", "past_due"];

/** The purpose of a page. */
export interface BillingPage {
  hash: string;
  kind: "checkout" | "portal";
  userId: string;
  /** The user's language. */
  language: InterfaceLanguage;
  interval: Interval;
  /** The page's origin to return to. */
  page: string;
  /** Whether it was paid. */
  done: boolean;
  /** Neither paid, expired, nor closed by another page. */
  isOpen: boolean;
}

export type TestPayment = "pay" | "decline" | "cancel" | "resume" | "renew" | "fail" | "end";

/** Payments without money: a complete checkout on one machine, with every state of real payments. */
export interface TestBilling extends Billing {
  /** @throws Problem `notFound` for an unknown URL, or a page that has been closed for a day */
  open(token: string): Promise<BillingPage>;
  subscriptionOf(page: BillingPage): Promise<SubscriptionRow | undefined>;
  /** Executes a button's action; nothing is paid twice. @returns whether the page is paid, now or earlier */
  press(page: BillingPage, payment: TestPayment): Promise<boolean>;
}

/** @param now epoch milliseconds */
export function createTestBilling(db: Db, now: () => number): TestBilling {
  type NewPage = Pick<BillingPage, "userId" | "kind" | "interval">;
  /** @returns the page's URL */
  const newPage = async (t: Db, { userId, kind, interval }: NewPage, { api, page }: BillingAddresses) => {
    const token = newSecret();
    const row = { hash: hashOf(token), user_id: userId, kind, interval, page, expires_at: now() + pageLifeMs, done: 0 };
    await insertBillingPage(t, row);
    return `${api}/billing/test/${token}`;
  };
  const change = async (t: Db, row: SubscriptionRow, changes: Partial<SubscriptionRow>) =>
    storeSubscription(t, { ...row, ...changes, synced_at: now() });

  return {
    id: "test",
    checkout: (user, interval, addresses) =>
      inTransaction(db, async (t) => {
        refuseSecond(await findSubscription(t, user.id));
        await closeCheckoutPages(t, user.id, now());
        return newPage(t, { userId: user.id, kind: "checkout", interval }, addresses);
      }),
    closeCheckout: (user) => closeCheckoutPages(db, user.id, now()),
    cancel: (_, { id }) =>
      inTransaction(db, async (t) => {
        const row = await findSubscriptionById(t, id);
        if (row !== undefined) await change(t, row, { cancel_at_period_end: 1 });
      }),
    portal: (user, row, addresses) =>
      newPage(db, { userId: user.id, kind: "portal", interval: row.interval ?? "month" }, addresses),
    invoices: async (user) => (await listInvoices(db, user.id)).map(invoiceOf),
    settle: () => settle(db, now()),
    open: async (token) => {
      const row = await findBillingPage(db, hashOf(token));
      if (row === undefined) throw new Problem("notFound", "This payment page no longer exists.");
      const { hash, kind, user_id: userId, language, interval, page } = row;
      const done = row.done === 1;
      return { hash, kind, userId, language, interval, page, done, isOpen: !done && row.expires_at > now() };
    },
    subscriptionOf: ({ userId }) => findSubscription(db, userId),
    // A payment is stored completely or not at all: otherwise a page paid without a subscription would stay paid
    // forever.
    press: (page, payment) =>
      inTransaction(db, async (t) => {
        const row = await findSubscription(t, page.userId);
        if (page.kind === "checkout") return payment === "pay" && pay(t, page, row, now());
        if (row === undefined || row.provider !== "test") throw new Problem("notFound");
        if (payment === "cancel" || payment === "resume") {
          await change(t, row, { cancel_at_period_end: payment === "cancel" ? 1 : 0 });
        } else if (payment === "renew") await renew(t, row, now());
        else if (payment === "fail") await fail(t, row, now());
        else if (payment === "end") await change(t, row, { status: "canceled", period_end: now() });
        return false;
      }),
  };
}

/**
 * Pays a page. The check and the payment are in one transaction: since the page was opened, another may have been paid,
 * or premium granted.
 * @param row the user's subscription
 * @returns whether the page is paid, now or earlier
 */
async function pay(t: Db, page: BillingPage, row: SubscriptionRow | undefined, at: number): Promise<boolean> {
  if (isRunningStatus(row?.status) || !(await finishBillingPage(t, page.hash, at))) {
    return (await findBillingPage(t, page.hash))?.done === 1;
  }
  await begin(t, page, at);
  await closeCheckoutPages(t, page.userId, at);
  return true;
}

async function begin(db: Db, { userId, interval }: BillingPage, at: number): Promise<void> {
  const id = randomUUID();
  await storeSubscription(db, {
    id,
    user_id: userId,
    status: "active",
    plan: "premium",
    interval,
    period_end: periodEnd(at, interval),
    cancel_at_period_end: 0,
    created_at: at,
    provider: "test",
    external_id: id,
    customer_id: userId,
    synced_at: at,
  });
  await bill(db, { userId, subscriptionId: id, interval, status: "paid", at });
}

/**
 * Starts the next paid period at the end of the previous one, and pays an open invoice. Only one period can be paid
 * ahead.
 */
async function renew(db: Db, row: SubscriptionRow, at: number): Promise<void> {
  const interval = row.interval ?? "month";
  if (isPremiumStatus(row.status) && (row.period_end ?? 0) > periodEnd(at, interval)) return;
  await voidOpenInvoices(db, row.id);
  const from = row.status === "canceled" ? at : Math.max(row.period_end ?? at, 0);
  const changes = { status: "active", period_end: periodEnd(from, interval), cancel_at_period_end: 0, synced_at: at };
  await storeSubscription(db, { ...row, ...changes });
  await bill(db, { userId: row.user_id, subscriptionId: row.id, interval, status: "paid", at });
}

async function fail(db: Db, row: SubscriptionRow, at: number): Promise<void> {
  if (!isPremiumStatus(row.status)) return;
  const interval = row.interval ?? "month";
  await storeSubscription(db, { ...row, status: "past_due", period_end: at, synced_at: at });
  await bill(db, { userId: row.user_id, subscriptionId: row.id, interval, status: "open", at });
}

interface Bill {
  userId: string;
  subscriptionId: string;
  interval: Interval;
  status: "paid" | "open";
  at: number;
}

async function bill(db: Db, { userId, subscriptionId, interval, status, at }: Bill): Promise<void> {
  const { currency } = prices;
  const row = { id: randomUUID(), user_id: userId, subscription_id: subscriptionId, amount: prices[interval], currency, status };
  await insertInvoice(db, { ...row, created_at: at });
}

function invoiceOf({ id, amount, currency, status, created_at }: InvoiceRow): Invoice {
  return { id, amount, currency, status, date: new Date(created_at).toISOString(), url: null };
}

/** At the end of a period: renews the subscription, or ends it if it is canceled, or unpaid for a week. */
async function settle(db: Db, at: number): Promise<void> {
  await deleteBillingPagesExpiredBy(db, at - closedMs);
  const due = await listDueSubscriptions(db, "test", dueStatuses, at);
  for (const { id } of due) await inTransaction(db, (t) => settleOne(t, id, at));
}

/**
 * Reads the subscription again in its transaction: since it was listed, another process may have renewed it, or its
 * user canceled or paid.
 */
async function settleOne(t: Db, id: string, at: number): Promise<void> {
  const row = await findSubscriptionById(t, id);
  if (row === undefined || !dueStatuses.includes(row.status) || (row.period_end ?? at + 1) > at) return;
  const isCancelled = row.cancel_at_period_end === 1;
  if (!isCancelled && row.status !== "past_due") return renew(t, row, at);
  if (isCancelled || (row.period_end ?? 0) <= at - graceMs)
    await storeSubscription(t, { ...row, status: "canceled", synced_at: at });
}

/** The same day one month or year later; clamped to the last day of a shorter month (UTC). */
export function periodEnd(at: number, interval: Interval): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + (interval === "year" ? 12 : 1));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}
