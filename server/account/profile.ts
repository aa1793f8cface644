import type { UserProfile } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import { findSubscription } from "#server/subscription/queries.ts";

/** The account's data as shown to its user only. */
export async function profileOf(db: Db, user: User): Promise<UserProfile> {
  const subscription = await findSubscription(db, user.id);
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar_url: user.avatar === null ? null : `/avatars/${user.avatar}.webp`,
    isSuperUser: user.is_superuser === 1,
    planType: user.plan_type,
    emailVerified: user.email_verified === 1,
    hasPassword: user.password_hash !== "",
    subscriptionId: subscription?.id ?? null,
  };
}
