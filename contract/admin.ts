import * as v from "valibot";
import { ErrorCode } from "./error.ts";
import { QueryNumber } from "./query-number.ts";
import { SignIn } from "./settings.ts";
import { Invoice, Subscription } from "./subscription.ts";
import { TranscriptionStatus } from "./transcription.ts";
import { Pagination } from "./transcriptions.ts";

const adminPageSize = 20;

/** The query of a list: page from 1, limit 1 to 100 (default 20). A page beyond the end means the last page. */
export const adminPaging = { page: QueryNumber(1, 999_999), limit: QueryNumber(adminPageSize, 100) } as const;

/** GET /admin/metrics?days=30: the number of days, including today (UTC). */
export const MetricsQuery = v.object({ days: QueryNumber(30, 366) });

/** One number per day; null where nothing was recorded. */
const Daily = v.array(v.nullable(v.number()));
const Count = v.number();

/** An engine for recognition, translation, speech synthesis or chat. */
export const EngineHealth = v.object({
  kind: v.picklist(["speech", "translation", "aloud", "chat"]),
  name: v.string(),
  available: v.boolean(),
  /** Whether it was configured by name, so that its failure is a problem. */
  wanted: v.boolean(),
  /** The reason, and how to fix it, in English. */
  detail: v.nullable(v.string()),
});
export type EngineHealth = v.InferOutput<typeof EngineHealth>;

/** GET /admin/metrics. Aggregates over all users; dates are ISO 8601, days ("2026-03-01") in UTC. */
export const AdminMetrics = v.object({
  at: v.string(),
  version: v.string(),
  uptimeSeconds: v.number(),
  /** Oldest first; each list of numbers below has one entry per day. */
  days: v.array(v.string()),
  users: v.object({ total: Count, confirmed: Count, premium: Count, newPerDay: Daily, totalPerDay: Daily, premiumPerDay: Daily }),
  /** Minutes of recognized audio, by the day on which the work was accepted. */
  minutes: v.object({ thisMonth: v.number(), perDay: Daily }),
  signIns: v.object({ today: Count, perDay: Daily }),
  /** `failed`: transcriptions that have failed and were not deleted; `failedLately`: those of the last seven days. */
  jobs: v.object({ waiting: Count, running: Count, failed: Count, failedLately: Count }),
  /** The failure reasons of the last seven days, most frequent first. */
  failures: v.array(v.object({ code: ErrorCode, count: Count, lastAt: v.string() })),
  engines: v.array(EngineHealth),
  /** In bytes; measured once an hour, except for the free space. `free` and `size` describe the disk. */
  storage: v.object({
    database: Count,
    audio: Count,
    vault: Count,
    other: Count,
    free: Count,
    size: Count,
    measuredAt: v.string(),
    usedPerDay: Daily,
  }),
  /** `stuck`: waiting after a failed attempt. `server`: whether a mail server is configured. */
  mails: v.object({ server: v.boolean(), waiting: Count, stuck: Count }),
  /** Unanswered messages, and entries on the waiting list. */
  messages: v.object({ open: Count, waitlist: Count }),
});
export type AdminMetrics = v.InferOutput<typeof AdminMetrics>;

/** Failures that the user can fix: a wrong file, used-up minutes, a wrong address. The operator need not act. */
const ownErrors: readonly ErrorCode[] = [
  "badRequest",
  "cancelledByOperator",
  "emptyFile",
  "gone",
  "interrupted",
  "languageUnavailable",
  "limitReached",
  "noSound",
  "noSpeech",
  "notAudio",
  "notFound",
  "quotaReached",
  "subscriptionRequired",
  "tooLarge",
  "tooLong",
  "tooManyAtOnce",
  "translationUnavailable",
  "truncated",
  "urlRefused",
  "urlTimeout",
  "urlUnreachable",
];

/** Whether a transcription failed for a reason that its owner can fix, and the operator can't. */
export const isOwnError = (code: ErrorCode): boolean => ownErrors.includes(code);

export const userPlans = ["all", "free", "premium", "superuser"] as const;
export const userSorts = ["newest", "oldest", "email", "seen", "minutes"] as const;
/**
 * GET /admin/users?page=&limit=20&search=&plan=&sort=; the search matches e-mail and name, ignoring case and accents.
 */
export const AdminUsersQuery = v.object({
  ...adminPaging,
  search: v.pipe(v.optional(v.string(), ""), v.trim(), v.maxLength(200)),
  plan: v.optional(v.picklist(userPlans), "all"),
  sort: v.optional(v.picklist(userSorts), "newest"),
});
export type AdminUsersQuery = v.InferOutput<typeof AdminUsersQuery>;

export const AdminUserRow = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  createdAt: v.string(),
  confirmed: v.boolean(),
  /** Blocked by an operator: nobody can sign in to it. */
  blocked: v.boolean(),
  superuser: v.boolean(),
  premium: v.boolean(),
  /** Null: never, or longer ago than sessions are stored. */
  lastSeenAt: v.nullable(v.string()),
  minutesThisMonth: v.number(),
});
export type AdminUserRow = v.InferOutput<typeof AdminUserRow>;
export const AdminUsersAnswer = v.object({ users: v.array(AdminUserRow), pagination: Pagination });

/** A transcription without its content; the title is left out because it is made of the text. */
export const AdminTranscription = v.object({
  id: v.string(),
  date: v.string(),
  origin: v.string(),
  language: v.string(),
  status: TranscriptionStatus,
  durationSeconds: v.nullable(v.number()),
  /** The size of its audio in bytes; null without audio. */
  size: v.nullable(v.number()),
  error: v.nullable(ErrorCode),
});
export type AdminTranscription = v.InferOutput<typeof AdminTranscription>;

/** `provider` null: granted by a superuser without payment. */
export const AdminSubscription = v.object({
  ...Subscription.entries,
  provider: v.nullable(v.picklist(["test", "stripe"])),
  premium: v.boolean(),
});
export type AdminSubscription = v.InferOutput<typeof AdminSubscription>;

/** GET /admin/users/{id} */
export const AdminUser = v.object({
  ...AdminUserRow.entries,
  language: v.string(),
  /** false: sign-in only through a provider. */
  hasPassword: v.boolean(),
  self: v.boolean(),
  /** The latest 12 months with data, newest first: "2026-03". */
  usage: v.array(v.object({ month: v.string(), minutes: v.number() })),
  signIns: v.array(SignIn),
  transcriptions: v.object({ total: v.number(), latest: v.array(AdminTranscription) }),
  /** Null without a vault. `bytes`: received so far. */
  vault: v.nullable(v.object({ items: v.number(), bytes: v.number() })),
  subscription: v.nullable(AdminSubscription),
  /** Null: the payment provider did not answer. */
  invoices: v.nullable(v.array(Invoice)),
});
export type AdminUser = v.InferOutput<typeof AdminUser>;

/** The reason for a change, stored in the audit log. */
const Reason = v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(500));
const longestGrantMs = 10 * 366 * 24 * 60 * 60_000;
const Moment = v.pipe(v.string(), v.isoTimestamp());

/**
 * PATCH /admin/users/{id}/subscription. `premium`: grants it until `periodEnd`, even if granted before. `free`: ends a
 * grant at once; a paid subscription is canceled with its provider, and lasts until the end of its period. 409 where
 * that is impossible.
 */
export const SubscriptionGrant = v.variant("plan", [
  v.object({
    plan: v.literal("premium"),
    periodEnd: v.pipe(
      Moment,
      v.check((text) => Date.parse(text) > Date.now() - longestGrantMs && Date.parse(text) < Date.now() + longestGrantMs),
    ),
    reason: Reason,
  }),
  v.object({ plan: v.literal("free"), reason: Reason }),
]);
export type SubscriptionGrant = v.InferInput<typeof SubscriptionGrant>;
/** PATCH /admin/users/{id}: 409 when no superuser would be left. */
export const SuperuserChange = v.object({ superuser: v.boolean(), reason: Reason });
export type SuperuserChange = v.InferInput<typeof SuperuserChange>;
/**
 * POST /admin/users/{id}/sign-out, POST /admin/users/{id}/confirm (the address counts as verified); DELETE
 * /admin/users/{id} returns 204.
 */
export const ReasonGiven = v.object({ reason: Reason });
/**
 * PATCH /admin/users/{id}/blocked: ends all sessions, connections and jobs at once. As for a deletion: 409 `conflict`
 * for one's own account, `lastSuperuser` when no other superuser could sign in. All these calls: 429 after many in an
 * hour.
 */
export const BlockChange = v.object({ blocked: v.boolean(), reason: Reason });
export type BlockChange = v.InferInput<typeof BlockChange>;

const auditActions = [
  "grantPremium",
  "changeGrant",
  "endGrant",
  "cancelSubscription",
  "signOut",
  "giveSuperuser",
  "takeSuperuser",
  "confirmUser",
  "blockUser",
  "unblockUser",
  "deleteUser",
  "retryJob",
  "cancelJob",
  "installModel",
  "importModel",
  "removeModel",
  "chooseModels",
  "makeBackup",
] as const;
export const AuditAction = v.picklist(auditActions);
export type AuditAction = v.InferOutput<typeof AuditAction>;

/** The state before, or after, an action. `until` is ISO 8601. */
export const AuditState = v.object({
  premium: v.optional(v.boolean()),
  until: v.optional(v.nullable(v.string())),
  superuser: v.optional(v.boolean()),
  confirmed: v.optional(v.boolean()),
  blocked: v.optional(v.boolean()),
  signIns: v.optional(v.number()),
  status: v.optional(v.string()),
  model: v.optional(v.string()),
});
export type AuditState = v.InferOutput<typeof AuditState>;

export const AuditEntry = v.object({
  id: v.string(),
  at: v.string(),
  action: AuditAction,
  /** The acting and the affected user. The address is null once the account is deleted. */
  actor: v.object({ id: v.string(), email: v.nullable(v.string()) }),
  user: v.nullable(v.object({ id: v.string(), email: v.nullable(v.string()) })),
  before: AuditState,
  after: AuditState,
  reason: v.string(),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;
/** GET /admin/audit?page=&limit=20: newest first. */
export const AuditQuery = v.object(adminPaging);
export const AuditAnswer = v.object({ entries: v.array(AuditEntry), pagination: Pagination });

/** One page of a list, as sent by the server. */
export interface ListPage<Row> {
  rows: readonly Row[];
  /** From 1; the last page when the requested one does not exist. */
  page: number;
  totalPages: number;
  total: number;
}
