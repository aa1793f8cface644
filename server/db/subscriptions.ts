import type { Selectable } from "kysely";
import type { Db } from "./open.ts";
import type { SubscriptionTable } from "./schema.ts";

export type SubscriptionRow = Selectable<SubscriptionTable>;

/** A person's subscription: the latest one, whatever its status. */
export function findSubscription(db: Db, userId: string): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom("subscriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
}
