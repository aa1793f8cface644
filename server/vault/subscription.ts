import type { MiddlewareHandler } from "hono";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { findSubscription, isPremiumStatus } from "#server/subscription/queries.ts";

/**
 * Admits subscribers (SPEC.md section 4: active, trialing). Use it after `requireUser`. @throws Problem
 * `subscriptionRequired`
 */
export function requireSubscription({ db }: { db: Db }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const status = (await findSubscription(db, c.var.user.id))?.status;
    if (!isPremiumStatus(status)) throw new Problem("subscriptionRequired");
    await next();
  };
}
