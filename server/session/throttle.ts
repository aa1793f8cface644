import { createHash } from "node:crypto";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import { countAttempt, deleteAttempts, takeFromPace } from "./throttle-queries.ts";

export interface Limit {
  /** What is counted; part of the key. */
  name: string;
  /** Attempts within the window. */
  most: number;
  windowMs: number;
}

const minute = 60_000;
/** Wrong passwords for one account from one address, by devices that nobody has signed in on. */
export const accountLimit: Limit = { name: "login", most: 10, windowMs: 15 * minute };
/** … from one address, whatever the account. */
export const addressLimit: Limit = { name: "login-address", most: 100, windowMs: 15 * minute };
/** … for one account from all addresses together: guessing does not get faster by spreading it. */
export const everywhereLimit: Limit = { name: "login-everywhere", most: 200, windowMs: 15 * minute };
/** Wrong passwords on one device that somebody has signed in on, and sign-ins on all of an account's together. */
export const deviceLimit: Limit = { name: "login-device", most: 10, windowMs: 15 * minute };
export const devicesLimit: Limit = { name: "login-devices", most: 200, windowMs: 15 * minute };
/** Renewals from one address, behind which a whole office may sit, and of one sign-in: many tabs that are opened at once. */
export const refreshAddressLimit: Limit = { name: "refresh-address", most: 600, windowMs: 15 * minute };
export const refreshLimit: Limit = { name: "refresh", most: 60, windowMs: 15 * minute };
/** Returns from another provider to one address. */
export const federatedLimit: Limit = { name: "federated", most: 60, windowMs: 15 * minute };
/** New accounts from one address. */
export const registrationLimit: Limit = { name: "register", most: 60, windowMs: 60 * minute };

/** Mails to one address, whoever asks for them. */
export const mailLimit: Limit = { name: "mail", most: 5, windowMs: 60 * minute };
/** Changes of address that one person asks for: each writes to the present address, too. */
export const emailChangeLimit: Limit = { name: "email-change", most: 5, windowMs: 60 * minute };
/** Mails asked for, and links opened, from one address. */
export const askLimit: Limit = { name: "account-mail", most: 60, windowMs: 60 * minute };
export const redeemLimit: Limit = { name: "account-link", most: 60, windowMs: 60 * minute };

/** Messages and entries on the waiting list from one address, and feedback of one person. */
export const inboxLimit: Limit = { name: "inbox", most: 20, windowMs: 60 * minute };
export const inboxPersonLimit: Limit = { name: "inbox-person", most: 20, windowMs: 60 * minute };

/** Reactions to posts of the blog, and views of them, from one address, behind which a whole office may sit. */
export const reactionLimit: Limit = { name: "blog-reaction", most: 300, windowMs: 15 * minute };
export const viewLimit: Limit = { name: "blog-view", most: 1500, windowMs: 15 * minute };

/** How often something is sent: so many at once, and one more each time that `everyMs` has passed. */
export interface Pace {
  name: string;
  burst: number;
  everyMs: number;
}

/**
 * Mails with a link to one account, by what the link is for: whoever asks, and however often. A mail comes at least so often that the
 * link of the last one still works (account/link-tokens.ts): who keeps asking in somebody's place can't keep them out.
 */
export const resetMailPace: Pace = { name: "reset-mail", burst: 3, everyMs: 20 * minute };
export const confirmMailPace: Pace = { name: "confirm-mail", burst: 3, everyMs: 20 * minute };

/** Counts attempts in the database, so that all processes count together. */
export interface Throttle {
  /**
   * Counts one attempt before it is made.
   * @throws Problem `tooManyRequests` with the seconds to wait
   */
  count(limit: Limit, subject: string): Promise<void>;
  /** Takes one of what may be sent. @returns false when there is none left for now; asking again puts nothing off */
  take(pace: Pace, subject: string): Promise<boolean>;
  /** Forgets the attempts, after a success. */
  forget(limit: { name: string }, subject: string): Promise<void>;
}

export function createThrottle(db: Db, now: () => number): Throttle {
  // Who tried to sign in is nobody's business, and addresses are personal data: only a hash is kept.
  const keyOf = (limit: { name: string }, subject: string) =>
    createHash("sha256").update(`${limit.name}\0${subject}`).digest("hex");
  return {
    count: async (limit, subject) => {
      const at = now();
      const row = await countAttempt(db, keyOf(limit, subject), { now: at, resetsAt: at + limit.windowMs });
      if (row.count <= limit.most) return;
      throw new Problem("tooManyRequests", undefined, { retryAfter: Math.max(1, Math.ceil((row.resets_at - now()) / 1000)) });
    },
    // As GCRA does it (ITU-T I.371): `resets_at` is when everything would be there again.
    take: (pace, subject) => {
      const at = now();
      const latest = at + (pace.burst - 1) * pace.everyMs;
      return takeFromPace(db, keyOf(pace, subject), { now: at, latest, everyMs: pace.everyMs });
    },
    forget: (limit, subject) => deleteAttempts(db, keyOf(limit, subject)),
  };
}
