import { sql } from "kysely";
import type { AdminUserRow, AdminUsersQuery } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { pcmRate } from "#server/speech/index.ts";
import { isPremiumNow } from "#server/subscription/queries.ts";
import { monthOf } from "#server/subscription/usage-queries.ts";
import { type PageOf, pageOf } from "./paging.ts";

export const samplesPerMinute = 60 * pcmRate;

/** Who has an account, as they were asked for. @param at epoch ms: of whose month the minutes are told */
export async function listUsers(db: Db, asked: AdminUsersQuery, at: number): Promise<PageOf<AdminUserRow>> {
  const { total } = await narrowed(db, asked)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { pagination, offset } = pageOf(asked, Number(total));
  const rows = await sorted(withColumns(narrowed(db, asked), at), asked.sort)
    .orderBy("users.id")
    .limit(asked.limit)
    .offset(offset)
    .execute();
  return { rows: rows.map(viewOf), pagination };
}

/** One of them; undefined for an unknown id. */
export async function findUserRow(db: Db, id: string, at: number): Promise<AdminUserRow | undefined> {
  const row = await withColumns(db.selectFrom("users"), at).where("users.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : viewOf(row);
}

function narrowed(db: Db, { search, plan }: Pick<AdminUsersQuery, "search" | "plan">) {
  let found = db.selectFrom("users");
  if (search !== "") {
    found = found.where((eb) =>
      eb.or(
        patterns(search).flatMap((pattern) => [
          sql<boolean>`lower(users.email) like ${pattern} escape '\\'`,
          sql<boolean>`lower(users.name) like ${pattern} escape '\\'`,
        ]),
      ),
    );
  }
  if (plan === "superuser") found = found.where("users.is_superuser", "=", 1);
  if (plan === "premium") found = found.where(isPremiumNow);
  if (plan === "free") found = found.where((eb) => eb.not(eb.fn.coalesce(isPremiumNow(eb), sql.lit(false))));
  return found;
}

const capitalised = (text: string) => text.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1));
/** As SQLite's `lower` does it, which knows ASCII only. */
const asciiLower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** What a name may look like in the database whose `lower` leaves "Ö" as it is. */
function patterns(search: string): string[] {
  const lower = search.toLowerCase();
  const forms = new Set([lower, asciiLower(lower.toUpperCase()), asciiLower(capitalised(lower)), asciiLower(search)]);
  return [...forms].map((form) => `%${form.replace(/[\\%_]/g, "\\$&")}%`);
}

function withColumns(found: ReturnType<typeof narrowed>, at: number) {
  return found.select((eb) => [
    ...(["users.id", "users.email", "users.name", "users.created_at", "users.email_verified", "users.is_superuser"] as const),
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

type Row = Awaited<ReturnType<ReturnType<typeof withColumns>["execute"]>>[number];

function viewOf(row: Row): AdminUserRow {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    createdAt: new Date(row.created_at).toISOString(),
    confirmed: row.email_verified === 1,
    superuser: row.is_superuser === 1,
    premium: Boolean(row.premium),
    lastSeenAt: row.last_seen === null ? null : new Date(Number(row.last_seen)).toISOString(),
    minutesThisMonth: Number(row.samples ?? 0) / samplesPerMinute,
  };
}
