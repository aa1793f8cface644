import * as v from "valibot";
import { ErrorCode } from "./error.ts";
import { SignIn } from "./settings.ts";
import { Invoice, Subscription } from "./subscription.ts";
import { Pagination, TranscriptionStatus } from "./transcription.ts";

/** Rows of one page of a list of the admin panel. */
export const adminPageSize = 20;

const Whole = (fallback: number, most: number) =>
  v.pipe(v.optional(v.string(), String(fallback)), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1), v.maxValue(most));

/** The query of a list: page from 1, limit 1 to 100 (default 20). A page beyond the last one is the last one. */
export const adminPaging = { page: Whole(1, 999_999), limit: Whole(adminPageSize, 100) } as const;

/** GET /admin/metrics?days=30: of how many days, today (UTC) among them. */
export const MetricsQuery = v.object({ days: Whole(30, 366) });

/** One number per day; null where nothing was recorded. */
const Daily = v.array(v.nullable(v.number()));
const Count = v.number();

/** Something that hears, translates, speaks or writes. */
export const EngineHealth = v.object({
  kind: v.picklist(["speech", "translation", "aloud", "chat"]),
  name: v.string(),
  available: v.boolean(),
  /** It was set up by name: when it does not work, something is wrong. */
  wanted: v.boolean(),
  /** Why not, and how to mend it, in English. */
  detail: v.nullable(v.string()),
});
export type EngineHealth = v.InferOutput<typeof EngineHealth>;

/** GET /admin/metrics. All of it numbers about everybody; dates are ISO 8601, days ("2026-03-01") in UTC. */
export const AdminMetrics = v.object({
  at: v.string(),
  version: v.string(),
  /** How long the process has run. */
  uptimeSeconds: v.number(),
  /** The oldest first; each list of numbers below has one for each. */
  days: v.array(v.string()),
  users: v.object({ total: Count, confirmed: Count, premium: Count, newPerDay: Daily, totalPerDay: Daily, premiumPerDay: Daily }),
  /** Of audio that was recognised, by the day on which the work was accepted. */
  minutes: v.object({ thisMonth: v.number(), perDay: Daily }),
  signIns: v.object({ today: Count, perDay: Daily }),
  /** `failed`: transcriptions that have failed and were not deleted; `failedLately`: those of the last seven days. */
  jobs: v.object({ waiting: Count, running: Count, failed: Count, failedLately: Count }),
  /** Why the ones of the last seven days failed, the most frequent first. */
  failures: v.array(v.object({ code: ErrorCode, count: Count, lastAt: v.string() })),
  engines: v.array(EngineHealth),
  /** In bytes; measured once an hour, all but the free space. `free` and `size` are of the disk. */
  storage: v.object({
    ...{ database: Count, audio: Count, vault: Count, other: Count, free: Count, size: Count },
    measuredAt: v.string(),
    usedPerDay: Daily,
  }),
  /** `stuck`: waiting after a failed attempt. `server`: whether there is one that mails are sent with. */
  mails: v.object({ server: v.boolean(), waiting: Count, stuck: Count }),
});
export type AdminMetrics = v.InferOutput<typeof AdminMetrics>;

export const userPlans = ["all", "free", "premium", "superuser"] as const;
export const userSorts = ["newest", "oldest", "email", "seen", "minutes"] as const;
/** GET /admin/users?page=&limit=20&search=&plan=&sort=; the search looks at e-mail and name, whatever the case. */
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
  superuser: v.boolean(),
  premium: v.boolean(),
  /** Null: never, or longer ago than sign-ins are kept. */
  lastSeenAt: v.nullable(v.string()),
  minutesThisMonth: v.number(),
});
export type AdminUserRow = v.InferOutput<typeof AdminUserRow>;
export const AdminUsersAnswer = v.object({ users: v.array(AdminUserRow), pagination: Pagination });

/** A transcription without anything that was said: titles are made of the text. */
export const AdminTranscription = v.object({
  id: v.string(),
  date: v.string(),
  origin: v.string(),
  language: v.string(),
  status: TranscriptionStatus,
  durationSeconds: v.nullable(v.number()),
  /** Bytes of its audio; null without one. */
  size: v.nullable(v.number()),
  error: v.nullable(ErrorCode),
});
export type AdminTranscription = v.InferOutput<typeof AdminTranscription>;

/** `provider` null: given by a superuser, nobody pays. */
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
  /** false: it is entered through another provider alone. */
  hasPassword: v.boolean(),
  /** This is who asks. */
  self: v.boolean(),
  /** The latest 12 months with something in them, the newest first: "2026-03". */
  usage: v.array(v.object({ month: v.string(), minutes: v.number() })),
  signIns: v.array(SignIn),
  transcriptions: v.object({ total: v.number(), latest: v.array(AdminTranscription) }),
  /** Null: there is none. Bytes of what has arrived. */
  vault: v.nullable(v.object({ items: v.number(), bytes: v.number() })),
  subscription: v.nullable(AdminSubscription),
  /** Null: the payment provider did not answer. */
  invoices: v.nullable(v.array(Invoice)),
});
export type AdminUser = v.InferOutput<typeof AdminUser>;

/** Why something is changed: kept in the log. */
const Reason = v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(500));
const longestGrantMs = 10 * 366 * 24 * 60 * 60_000;
const Moment = v.pipe(v.string(), v.isoTimestamp());

/**
 * PATCH /admin/users/{id}/subscription. `premium`: given until `periodEnd`, or what was given lasts until then. `free`: what was given
 * ends at once; what is paid is cancelled with its provider, and lasts until its period's end. 409 where that can't be.
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
/** PATCH /admin/users/{id}: 409 when it would leave nobody with the right. */
export const SuperuserChange = v.object({ superuser: v.boolean(), reason: Reason });
export type SuperuserChange = v.InferInput<typeof SuperuserChange>;
/** POST /admin/users/{id}/sign-out */
export const SignOutRequest = v.object({ reason: Reason });

export const auditActions = [
  "grantPremium",
  "changeGrant",
  "endGrant",
  "cancelSubscription",
  "signOut",
  "giveSuperuser",
  "takeSuperuser",
  "retryJob",
] as const;
export const AuditAction = v.picklist(auditActions);
export type AuditAction = v.InferOutput<typeof AuditAction>;

/** What there was, or is now, of what an action changes. `until` is ISO 8601. */
export const AuditState = v.object({
  premium: v.optional(v.boolean()),
  until: v.optional(v.nullable(v.string())),
  superuser: v.optional(v.boolean()),
  /** Sign-ins that have not ended. */
  signIns: v.optional(v.number()),
  status: v.optional(v.string()),
});
export type AuditState = v.InferOutput<typeof AuditState>;

export const AuditEntry = v.object({
  id: v.string(),
  at: v.string(),
  action: AuditAction,
  /** Who did it, and whom it was about. The address is null once the account is deleted. */
  actor: v.object({ id: v.string(), email: v.nullable(v.string()) }),
  user: v.nullable(v.object({ id: v.string(), email: v.nullable(v.string()) })),
  before: AuditState,
  after: AuditState,
  reason: v.string(),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;
/** GET /admin/audit?page=&limit=20: the newest first. */
export const AuditQuery = v.object(adminPaging);
export const AuditAnswer = v.object({ entries: v.array(AuditEntry), pagination: Pagination });

/** One page of a list, as the server has it. */
export interface ListPage<Row> {
  rows: readonly Row[];
  /** From 1; the last one when there are not as many as were asked for. */
  page: number;
  totalPages: number;
  /** Rows on all pages. */
  total: number;
}
