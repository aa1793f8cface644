import { createHash } from "node:crypto";
import type Stripe from "stripe";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { deleteCheckoutsMadeBy, findCheckout, keepCheckout } from "./billing-queries.ts";
import { findSubscription, refuseSecond } from "./queries.ts";
import { asking, askingUnless, nameOf, refused } from "./stripe-answers.ts";

interface Parts extends DbParts {
  stripe: Stripe;
  /** Stores a subscription as Stripe has it now. */
  sync: (id: string) => Promise<void>;
}

/**
 * Clicks on a button within this time count as one (milliseconds). Stripe repeats its answer to an idempotency key for
 * a day, errors included.
 */
const keyMs = 60_000;
/** How long a page is remembered (milliseconds). Stripe keeps its pages open for a day. */
const rememberMs = 2 * 24 * 60 * 60_000;

/** Stripe's payment pages. A user has one open page, which is reused for the same plan. */
export function createCheckouts({ db, now, stripe, sync }: Parts) {
  const sessions = stripe.checkout.sessions;
  // A page of a Stripe account that was configured earlier does not exist.
  const find = (id: string) => askingUnless("resource_missing", sessions.retrieve(id));

  async function expired(id: string): Promise<Stripe.Checkout.Session | undefined> {
    const session = await find(id);
    if (session?.status !== "open") return session;
    return sessions.expire(id).catch(async (error: unknown) => {
      // The page was paid, or closed by another click, in the meantime.
      const ended = await find(id);
      if (ended?.status === "open") throw refused(error);
      return ended;
    });
  }

  async function close(id: string): Promise<void> {
    const paid = nameOf((await expired(id))?.subscription);
    if (paid !== undefined) await sync(paid);
  }

  async function open(userId: string, wanted: Stripe.Checkout.SessionCreateParams): Promise<string> {
    const terms = hashOf(wanted);
    const known = await findCheckout(db, userId);
    if (known !== undefined) {
      const session = await find(known.session_id);
      if (session?.status === "open" && session.url !== null && known.terms === terms) return session.url;
      await close(known.session_id);
    }
    refuseSecond(await findSubscription(db, userId));
    // The key contains the previous page, so that an ended page is never returned again.
    const idempotencyKey = `checkout-${hashOf([terms, known?.session_id, Math.floor(now() / keyMs)])}`;
    const { id, url } = await asking(sessions.create(wanted, { idempotencyKey }));
    if (url === null) throw new Problem("internal", "Could not retrieve checkout session URL from backend.");
    if (await keepCheckout(db, { user_id: userId, session_id: id, terms, made_at: now() }, known?.session_id)) return url;
    // Another click was faster: either the page is the same, or nobody has seen this page's URL.
    if ((await findCheckout(db, userId))?.session_id !== id) await close(id);
    return open(userId, wanted);
  }

  return {
    open,
    forgetClosed: () => deleteCheckoutsMadeBy(db, now() - rememberMs),
    closeOf: async (userId: string) => {
      const known = await findCheckout(db, userId);
      if (known !== undefined) await close(known.session_id);
    },
  };
}

const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
