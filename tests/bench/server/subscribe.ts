import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Gives every account the paid plan: an hour of audio is more than the free plan allows. */
export function subscribe(dataDir: string): void {
  using db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 10_000 });
  db.exec(
    "insert into subscriptions (id, user_id, status, plan, cancel_at_period_end, created_at) select id, id, 'active', 'premium', 0, 0 from users where id not in (select user_id from subscriptions)",
  );
}
