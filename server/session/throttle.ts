import { createHash } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { countAttempt, deleteAttempts, findResetsAt, giveBackToPace, takeFromPace } from "./throttle-queries.ts";

export interface Limit {
  /** Part of the key. */
  name: string;
  /** Attempts within the window. */
  max: number;
  windowMs: number;
}

const minute = 60_000;
/** Wrong passwords on unknown devices: for one account from one address. */
export const accountLimit: Limit = { name: "login", max: 10, windowMs: 15 * minute };
/** Wrong passwords on unknown devices: from one address, for any account. */
export const addressLimit: Limit = { name: "login-address", max: 100, windowMs: 15 * minute };
/** Wrong passwords on unknown devices: for one account from all addresses, so that distributed guesses gain nothing. */
export const everywhereLimit: Limit = { name: "login-everywhere", max: 200, windowMs: 15 * minute };
/** Wrong passwords on one known device, and sign-ins on all known devices of an account together. */
export const deviceLimit: Limit = { name: "login-device", max: 10, windowMs: 15 * minute };
export const devicesLimit: Limit = { name: "login-devices", max: 200, windowMs: 15 * minute };
/** Calls with one personal access token: two per second on average. */
export const personalTokenLimit: Limit = { name: "personal-token", max: 1200, windowMs: 10 * minute };
/** Videos with burnt-in captions that one user requests. */
export const captionedVideoLimit: Limit = { name: "captioned-video", max: 20, windowMs: 60 * minute };
/**
 * Wrong codes of an authenticator app, and wrong recovery codes, for one account from one address, or on one device
 * known for codes.
 */
export const codeLimit: Limit = { name: "second-factor", max: 10, windowMs: 15 * minute };
export const recoveryCodeLimit: Limit = { name: "recovery-code", max: 10, windowMs: 15 * minute };
/**
 * Passkeys requested, and tried, from one address, possibly of a whole office: each sign-in page may request one, and
 * nobody can guess one.
 */
export const passkeyLimit: Limit = { name: "passkey", max: 600, windowMs: 15 * minute };
/** Passkeys that one user begins to add. */
export const newPasskeyLimit: Limit = { name: "passkey-new", max: 30, windowMs: 60 * minute };
/** Personal access tokens made by one user. */
export const newPersonalTokenLimit: Limit = { name: "personal-token-new", max: 30, windowMs: 60 * minute };
/** Token renewals from one address, possibly of a whole office, and of one session: many tabs opened at once. */
export const refreshAddressLimit: Limit = { name: "refresh-address", max: 600, windowMs: 15 * minute };
export const refreshLimit: Limit = { name: "refresh", max: 60, windowMs: 15 * minute };
/** Federated callbacks from one address. */
export const federatedLimit: Limit = { name: "federated", max: 60, windowMs: 15 * minute };
/** New accounts from one address. */
export const registrationLimit: Limit = { name: "register", max: 60, windowMs: 60 * minute };

/** Mails to one address, whoever requests them. */
export const mailLimit: Limit = { name: "mail", max: 5, windowMs: 60 * minute };
/** Changes of address requested by one user: each also sends a mail to the present address. */
export const emailChangeLimit: Limit = { name: "email-change", max: 5, windowMs: 60 * minute };
/** Mails requested, and links opened, from one address. */
export const askLimit: Limit = { name: "account-mail", max: 60, windowMs: 60 * minute };
export const redeemLimit: Limit = { name: "account-link", max: 60, windowMs: 60 * minute };

/** Changes of other users' accounts and jobs by one superuser: a stolen session can't empty a server in a minute. */
export const adminActionLimit: Limit = { name: "admin-action", max: 120, windowMs: 60 * minute };

/** Messages and waiting-list entries from one address, and feedback from one user. */
export const inboxLimit: Limit = { name: "inbox", max: 20, windowMs: 60 * minute };
export const inboxPersonLimit: Limit = { name: "inbox-person", max: 20, windowMs: 60 * minute };

/** Reactions to blog posts, and views of them, from one address, possibly of a whole office. */
export const reactionLimit: Limit = { name: "blog-reaction", max: 300, windowMs: 15 * minute };
export const viewLimit: Limit = { name: "blog-view", max: 1500, windowMs: 15 * minute };

/** Try-outs started from one address; each new connection counts. */
export const tryOutLimit: Limit = { name: "try-out", max: 12, windowMs: 10 * minute };

/** Links to transcripts that one user makes, and passphrases that the user sets for them. */
export const newSharedLinkLimit: Limit = { name: "shared-new", max: 60, windowMs: 60 * minute };
/** Links opened from one address, possibly of a whole office. */
export const sharedOpenLimit: Limit = { name: "shared-open", max: 600, windowMs: 15 * minute };
/**
 * Passphrases tried: for one link from one address; from one address for any link; for one link from all addresses,
 * possibly a large audience.
 */
export const sharedLimit: Limit = { name: "shared", max: 10, windowMs: 15 * minute };
export const sharedAddressLimit: Limit = { name: "shared-address", max: 200, windowMs: 15 * minute };
export const sharedEverywhereLimit: Limit = { name: "shared-everywhere", max: 1000, windowMs: 15 * minute };

/**
 * Offers of transcripts to mail addresses that one user makes: each may send a mail to somebody who does not know the
 * user.
 */
export const newOfferLimit: Limit = { name: "offer-new", max: 60, windowMs: 60 * minute };

/**
 * Webhooks that one user creates or redirects, each of which looks up a name; and messages that the user tests or has
 * sent again.
 */
export const changedWebhookLimit: Limit = { name: "webhook-changed", max: 60, windowMs: 60 * minute };
export const sentWebhookLimit: Limit = { name: "webhook-sent", max: 120, windowMs: 60 * minute };

/** Feeds that one user follows or previews; each is fetched at once. */
export const followedFeedLimit: Limit = { name: "feed-followed", max: 60, windowMs: 60 * minute };

/** A token bucket: `burst` at once, refilled by one every `everyMs`. */
export interface Pace {
  name: string;
  burst: number;
  everyMs: number;
}

/**
 * Mails with a link to one account, by purpose, whoever requests them. The interval is no longer than a link's lifetime
 * (account/link-tokens.ts), so somebody else's requests can't leave the owner without a working link.
 */
export const resetMailPace: Pace = { name: "reset-mail", burst: 3, everyMs: 20 * minute };
export const confirmMailPace: Pace = { name: "confirm-mail", burst: 3, everyMs: 20 * minute };
/**
 * Wrong codes of an authenticator app for one account: from all unknown devices together, and from all devices known
 * for codes. Guesses from elsewhere can't use up the second. In any 24 hours they let 30 and 20 codes through, 50 in
 * all.
 */
export const codePace: Pace = { name: "codes", burst: 15, everyMs: 96 * minute };
export const knownCodePace: Pace = { name: "codes-known", burst: 10, everyMs: 144 * minute };
/** Mails to one user about transcriptions that have completed or failed. */
export const noticeMailPace: Pace = { name: "notice-mail", burst: 5, everyMs: 20 * minute };
/** Mails to one address about transcripts offered to it, whoever offers them. */
export const offerMailPace: Pace = { name: "offer-mail", burst: 5, everyMs: 20 * minute };
/** Mails to one user about waiting episodes. */
export const feedMailPace: Pace = { name: "feed-mail", burst: 1, everyMs: 7 * 24 * 60 * minute };

/** Counts attempts in the database, so that all processes count together. */
export interface Throttle {
  /**
   * Counts one attempt before it is made.
   * @throws Problem `tooManyRequests` with the seconds to wait
   */
  count(limit: Limit, subject: string): Promise<void>;
  /** Takes one token from the bucket. @returns false when the bucket is empty; a refused call costs nothing */
  take(pace: Pace, subject: string): Promise<boolean>;
  /** Like `take`. @throws Problem `tooManyRequests` with the seconds to wait, when the bucket is empty */
  spend(pace: Pace, subject: string): Promise<void>;
  /** Puts back a token that was just taken. */
  giveBack(pace: Pace, subject: string): Promise<void>;
  reset(limit: { name: string }, subject: string): Promise<void>;
}

export function createThrottle(db: Db, now: () => number): Throttle {
  // Addresses are personal data: only a hash is stored.
  const keyOf = (limit: { name: string }, subject: string) =>
    createHash("sha256").update(`${limit.name}\0${subject}`).digest("hex");
  const refuseUntil = (until: number) =>
    new Problem("tooManyRequests", undefined, { retryAfter: Math.max(1, Math.ceil((until - now()) / 1000)) });
  // GCRA (ITU-T I.371): `resets_at` is when the bucket is full again. The bucket has a token from `lead` before that
  // time.
  const lead = ({ burst, everyMs }: Pace) => (burst - 1) * everyMs;
  const take: Throttle["take"] = (pace, subject) => {
    const at = now();
    return takeFromPace(db, keyOf(pace, subject), { now: at, latest: at + lead(pace), everyMs: pace.everyMs });
  };
  return {
    count: async (limit, subject) => {
      const at = now();
      const row = await countAttempt(db, keyOf(limit, subject), { now: at, resetsAt: at + limit.windowMs });
      if (row.count > limit.max) throw refuseUntil(row.resets_at);
    },
    take,
    spend: async (pace, subject) => {
      if (await take(pace, subject)) return;
      throw refuseUntil(((await findResetsAt(db, keyOf(pace, subject))) ?? 0) - lead(pace));
    },
    giveBack: (pace, subject) => giveBackToPace(db, keyOf(pace, subject), pace.everyMs),
    reset: (limit, subject) => deleteAttempts(db, keyOf(limit, subject)),
  };
}
