import type { Page } from "playwright";
import { openDatabase } from "./harness-data.ts";
import type { Parlance } from "./harness-server.ts";

const samplesPerMinute = 60 * 16_000;

/**
 * Sets a user's used minutes of this month, and removes all other usage.
 * @param email the account's address
 */
export function spendMinutes(server: Parlance, email: string, minutes: number): void {
  using db = openDatabase(server);
  const own = "user_id in (select id from users where email = ?)";
  db.prepare(`delete from usage where ${own}`).run(email);
  db.prepare("insert into usage (user_id, source, month, samples) select id, 'before', ?, ? from users where email = ?").run(
    new Date().toISOString().slice(0, 7),
    Math.round(minutes * samplesPerMinute),
    email,
  );
}

/** Adds a subscription as a payment does. */
export function subscribe(server: Parlance, email: string, status = "active"): void {
  using db = openDatabase(server);
  db.prepare(
    "insert into subscriptions (id, user_id, status, plan, cancel_at_period_end, created_at) select id, id, ?, 'premium', 0, 1 from users where email = ?",
  ).run(status, email);
}

export const messages = (page: Page) => page.locator(".Toastify__toast");
export const meter = (page: Page) => page.getByTestId("usage");
