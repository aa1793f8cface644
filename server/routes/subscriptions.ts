import { type Context, Hono } from "hono";
import type { InferOutput } from "valibot";
import type { OwnSubscriptionAnswer, Subscription } from "../../src/api/contract/index.ts";
import { findSubscription } from "../db/subscriptions.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { requireUser } from "../http/session.ts";
import { Problem } from "../problem.ts";

/** What a person has subscribed to (SPEC.md section 7, "Users and subscriptions"): 404 means nothing, which is free. */
export function subscriptionRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const own = async (c: Context<AppEnv>): Promise<Subscription> => {
    const row = await findSubscription(deps.db, c.var.user.id);
    if (row === undefined) throw new Problem("notFound", "There is no subscription.");
    return {
      id: row.id,
      status: row.status,
      plan: row.plan,
      interval: row.interval,
      currentPeriodEnd: row.period_end === null ? null : new Date(row.period_end).toISOString(),
      cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    };
  };

  app.get("/subscriptions/me", signedIn, async (c) => {
    const answer: InferOutput<typeof OwnSubscriptionAnswer> = { subscription: await own(c) };
    return c.json(answer);
  });
  app.get("/subscriptions/account/subscription", signedIn, async (c) => c.json(await own(c)));
  return app;
}
