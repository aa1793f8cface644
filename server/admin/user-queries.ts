import { sql } from "kysely";
import type { AdminUsersQuery } from "#contract/index.ts";
import { folded } from "#contract/search/terms.ts";
import type { Db } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";
import { isPremiumNow } from "#server/subscription/queries.ts";
import { monthOf } from "#server/subscription/usage-queries.ts";

type Filter = Pick<AdminUsersQuery, "search" | "plan">;

/** An account as the list shows it. Times in epoch ms; `samples` (16 kHz) are those of one month. */
export type UserOverview = Awaited<ReturnType<ReturnType<typeof withColumns>["execute"]>>[number];

/** The number of accounts, of those with a verified address, and of current premium accounts. */
export async function countUsers(db: Db): Promise<{ total: number; confirmed: number; premium: number }> {
  const row = await db
    .selectFrom("users")
    .select(({ fn }) => [fn.countAll<number>().as("total"), fn.sum<number | null>("email_verified").as("confirmed")])
    .executeTakeFirstOrThrow();
  const premium = await countRows(db.selectFrom("users").where(isPremiumNow));
  return { total: row.total, confirmed: row.confirmed ?? 0, premium };
}

export function countUsersFound(db: Db, filter: Filter): Promise<number> {
  return countRows(narrowed(db, filter));
}

/** @param at epoch ms: determines the month whose samples are summed up */
export function listUserOverviews(
  db: Db,
  { sort, ...filter }: Filter & Pick<AdminUsersQuery, "sort">,
  { at, limit, offset }: { at: number; limit: number; offset: number },
): Promise<UserOverview[]> {
  return sorted(withColumns(narrowed(db, filter), at), sort)
    .orderBy("users.id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** @param at epoch ms: determines the month whose samples are summed up */
export function findUserOverview(db: Db, id: string, at: number): Promise<UserOverview | undefined> {
  return withColumns(db.selectFrom("users"), at).where("users.id", "=", id).executeTakeFirst();
}

function narrowed(db: Db, { search, plan }: Filter) {
  let found = db.selectFrom("users");
  if (search !== "") {
    found = found.where((eb) =>
      eb.or([
        sql<boolean>`lower(users.email) like ${patternOf(search.toLowerCase())} escape '\\'`,
        sql<boolean>`users.folded_name like ${patternOf(folded(search).trim())} escape '\\'`,
      ]),
    );
  }
  if (plan === "superuser") found = found.where("users.is_superuser", "=", 1);
  if (plan === "premium") found = found.where(isPremiumNow);
  if (plan === "free") found = found.where((eb) => eb.not(eb.fn.coalesce(isPremiumNow(eb), sql.lit(false))));
  return found;
}

const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

function withColumns(found: ReturnType<typeof narrowed>, at: number) {
  return found.select((eb) => [
    ...([
      "users.id",
      "users.email",
      "users.name",
      "users.created_at",
      "users.email_verified",
      "users.is_superuser",
      "users.blocked_at",
    ] as const),
    eb.fn.coalesce(isPremiumNow(eb), sql.lit(false)).as("premium"),
    eb
      .selectFrom("sessions")
      .select(({ fn }) => fn.max(fn.coalesce("sessions.seen_at", "sessions.created_at")).as("at"))
      .whereRef("sessions.user_id", "=", "users.id")
      .as("last_seen"),
    eb
      .selectFrom("usage")
      .select(({ fn }) => fn.coalesce(fn.sum<number>("usage.samples"), sql.lit(0)).as("samples"))
      .whereRef("usage.user_id", "=", "users.id")
      .where("usage.month", "=", monthOf(at))
      .as("samples"),
  ]);
}

function sorted(rows: ReturnType<typeof withColumns>, by: AdminUsersQuery["sort"]) {
  if (by === "email") return rows.orderBy("users.email");
  if (by === "oldest") return rows.orderBy("users.created_at");
  if (by === "seen") return rows.orderBy("last_seen", (order) => order.desc().nullsLast());
  if (by === "minutes") return rows.orderBy("samples", "desc").orderBy("users.created_at", "desc");
  return rows.orderBy("users.created_at", "desc");
}
