import type { UserProfile } from "#contract/index.ts";
import { type AdminParts, lacksSecondFactor } from "#server/session/require-user.ts";
import { findSubscription } from "#server/subscription/queries.ts";
import type { User } from "#server/users/tables.ts";

/**
 * The account's data, shown only to its user.
 * @param sessionId the current session; default: one that began with the password
 */
export async function profileOf(
  deps: Pick<AdminParts, "db" | "adminNeedsSecondFactor">,
  user: User,
  sessionId?: string,
): Promise<UserProfile> {
  const subscription = await findSubscription(deps.db, user.id);
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar_url: user.avatar === null ? null : `/avatars/${user.avatar}.webp`,
    isSuperUser: user.is_superuser === 1,
    planType: user.plan_type,
    emailVerified: user.email_verified === 1,
    hasPassword: user.password_hash !== "",
    lacksSecondFactor: await lacksSecondFactor(deps, user, sessionId),
    subscriptionId: subscription?.id ?? null,
  };
}
