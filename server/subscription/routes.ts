import { type Context, Hono } from "hono";
import type { InferOutput } from "valibot";
import {
  type BillingHistory,
  CheckoutRequest,
  type OwnSubscriptionAnswer,
  PlanRequest,
  type UrlAnswer,
} from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { BillingAddresses } from "./billing.ts";
import type { Billing } from "./open-billing.ts";
import { findSubscription, type SubscriptionRow } from "./queries.ts";
import { subscriptionView } from "./view.ts";

interface Parts extends SignInParts {
  origins: Origins;
  billing: Billing;
}

/** A user's subscription (SPEC.md section 7, "Users and subscriptions"). 404 means none, which is the free tier. */
export function subscriptionRoutes(deps: Parts): Hono<AppEnv> {
  const { db, billing } = deps;
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const own = async (c: Context<AppEnv>): Promise<SubscriptionRow> => {
    const row = await findSubscription(db, c.var.user.id);
    if (row === undefined) throw new Problem("notFound", "You have no subscription.");
    return row;
  };
  const paid = async (c: Context<AppEnv>): Promise<SubscriptionRow> => {
    const row = await own(c);
    if (row.provider === null)
      throw new Problem("notFound", "Your administrator gave you this subscription: there is nothing to pay or cancel.");
    return row;
  };
  const cancel = async (c: Context<AppEnv>) => {
    await billing.cancel(c.var.user, await paid(c));
    return c.json(subscriptionView(await own(c)));
  };
  const url = (c: Context<AppEnv>, there: string) => c.json({ url: there } satisfies InferOutput<typeof UrlAnswer>);

  app.get("/subscriptions/me", signedIn, async (c) => {
    const answer: InferOutput<typeof OwnSubscriptionAnswer> = { subscription: subscriptionView(await own(c)) };
    return c.json(answer);
  });
  app.get("/subscriptions/account/subscription", signedIn, async (c) => c.json(subscriptionView(await own(c))));

  app.post("/subscriptions/create-checkout-session", signedIn, async (c) => {
    const { plan } = await readJson(c, PlanRequest);
    return url(c, await billing.checkout(c.var.user, plan === "month" ? "month" : "year", addressesOf(deps, c)));
  });
  app.post("/subscriptions/account/checkout-session", signedIn, async (c) => {
    const { interval } = await readJson(c, CheckoutRequest);
    return url(c, await billing.checkout(c.var.user, interval, addressesOf(deps, c)));
  });
  app.post("/subscriptions/cancel", signedIn, cancel);
  app.post("/subscriptions/account/cancel-subscription", signedIn, cancel);
  app.post("/subscriptions/account/billing-portal", signedIn, async (c) =>
    url(c, await billing.portal(c.var.user, await paid(c), addressesOf(deps, c))),
  );
  app.get("/subscriptions/account/invoices", signedIn, async (c) => {
    const row = await findSubscription(db, c.var.user.id);
    const invoices = row === undefined ? [] : await billing.invoices(c.var.user, row);
    return c.json({ invoices } satisfies InferOutput<typeof BillingHistory>);
  });
  return app;
}

/** @throws Problem `badRequest` when the API's origin is unknown for the request's host */
function addressesOf({ origins }: Parts, c: Context<AppEnv>): BillingAddresses {
  const host = c.req.header("host");
  const api = origins.apiFor(host);
  if (api === undefined) throw new Problem("badRequest", "API_URL is not set.");
  return { api, page: origins.pageFor(host) };
}
