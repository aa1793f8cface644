import type { MiddlewareHandler } from "hono";
import type { AppEnv, Deps } from "#server/deps.ts";
import { Problem } from "#server/problem.ts";
import { findSubscription, isPremiumStatus } from "#server/subscription/queries.ts";

/** After `requireUser`: lets subscribers through (SPEC.md section 4: active, trialing). @throws Problem `subscriptionRequired` */
export function requireSubscription({ db }: Pick<Deps, "db">): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const status = (await findSubscription(db, c.var.user.id))?.status;
    if (!isPremiumStatus(status)) throw new Problem("subscriptionRequired");
    await next();
  };
}
