import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../db/open.ts";
import { Problem } from "../problem.ts";

export interface Limit {
  /** What is counted; part of the key. */
  name: string;
  /** Attempts within the window. */
  most: number;
  windowMs: number;
}

const minute = 60_000;
/** Wrong passwords for one account from one address. */
export const accountLimit: Limit = { name: "login", most: 10, windowMs: 15 * minute };
/** Wrong passwords from one address, whatever the account. */
export const addressLimit: Limit = { name: "login-address", most: 100, windowMs: 15 * minute };
/** Sign-ins to one account from all addresses together: guessing does not get faster by spreading it. */
export const everywhereLimit: Limit = { name: "login-everywhere", most: 200, windowMs: 15 * minute };
/** Renewals from one address, behind which a whole office may sit, and of one sign-in: many tabs that are opened at once. */
export const refreshAddressLimit: Limit = { name: "refresh-address", most: 600, windowMs: 15 * minute };
export const refreshLimit: Limit = { name: "refresh", most: 60, windowMs: 15 * minute };
/** Returns from another provider to one address. */
export const federatedLimit: Limit = { name: "federated", most: 60, windowMs: 15 * minute };
/** New accounts from one address. */
export const registrationLimit: Limit = { name: "register", most: 60, windowMs: 60 * minute };

/** Mails to one address, whoever asks for them. */
export const mailLimit: Limit = { name: "mail", most: 5, windowMs: 60 * minute };
/** Mails asked for, and links opened, from one address. */
export const redeemLimit: Limit = { name: "account-link", most: 60, windowMs: 60 * minute };

/** Messages and entries on the waiting list from one address, and feedback of one person. */
export const inboxLimit: Limit = { name: "inbox", most: 20, windowMs: 60 * minute };
export const inboxPersonLimit: Limit = { name: "inbox-person", most: 20, windowMs: 60 * minute };

/** Reactions to posts of the blog, and views of them, from one address, behind which a whole office may sit. */
export const reactionLimit: Limit = { name: "blog-reaction", most: 300, windowMs: 15 * minute };
export const viewLimit: Limit = { name: "blog-view", most: 1500, windowMs: 15 * minute };

/** Counts attempts in the database, so that all processes count together. */
export interface Throttle {
  /**
   * Counts one attempt before it is made.
   * @throws Problem `tooManyRequests` with the seconds to wait
   */
  count(limit: Limit, subject: string): Promise<void>;
  /** Forgets the attempts, after a success. */
  forget(limit: Limit, subject: string): Promise<void>;
}

export function createThrottle(db: Db, now: () => number): Throttle {
  // Who tried to sign in is nobody's business, and addresses are personal data: only a hash is kept.
  const keyOf = (limit: Limit, subject: string) => createHash("sha256").update(`${limit.name}\0${subject}`).digest("hex");
  return {
    count: async (limit, subject) => {
      const fresh = { key: keyOf(limit, subject), count: 1, resets_at: now() + limit.windowMs };
      const row = await db
        .insertInto("attempts")
        .values(fresh)
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            count: sql<number>`case when attempts.resets_at <= ${now()} then 1 else attempts.count + 1 end`,
            resets_at: sql<number>`case when attempts.resets_at <= ${now()} then ${fresh.resets_at} else attempts.resets_at end`,
          }),
        )
        .returning(["count", "resets_at"])
        .executeTakeFirstOrThrow();
      if (row.count <= limit.most) return;
      throw new Problem("tooManyRequests", undefined, { retryAfter: Math.max(1, Math.ceil((row.resets_at - now()) / 1000)) });
    },
    forget: async (limit, subject) => {
      await db.deleteFrom("attempts").where("key", "=", keyOf(limit, subject)).execute();
    },
  };
}
