import { UserProfile } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { type Person, read } from "#tests/server/harness.ts";

interface Paid {
  id?: string;
  status?: string;
  /** Epoch ms. */
  createdAt?: number;
}

/** Subscribes a person, as a payment would. */
export async function subscribe(dataDir: string, person: Person, paid: Paid = {}): Promise<void> {
  const { id = crypto.randomUUID(), status = "active", createdAt = 1 } = paid;
  const { id: userId } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
  using db = openSql(dataDir);
  db.prepare(
    "insert into subscriptions (id, user_id, status, plan, interval, period_end, cancel_at_period_end, created_at) values (?, ?, ?, 'premium', 'month', ?, 0, ?)",
  ).run(id, userId, status, Date.UTC(2099, 11, 1), createdAt);
}
