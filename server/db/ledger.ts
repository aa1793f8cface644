import { PostgresAdapter, type QueryExecutorProvider, sql } from "kysely";
import { type CountedTable, countedTables, isCounted, rowBytes } from "./counted.ts";

// Triggers of the database keep the sum of each person's bytes in `storage_use`. They are made from the list in
// counted.ts.

/** A counted table of this database. @property texts its columns that count */
type SizedTable = CountedTable & { texts: readonly string[] };

/** The names of the triggers begin with this, and those of PostgreSQL's functions. */
const prefix = "stored_";

const isPostgres = (db: QueryExecutorProvider) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Creates the triggers again, and counts all users. Each migration that changes a counted table calls it. Tables and
 * columns that an older database does not have yet are left out.
 */
export async function installLedger(db: QueryExecutorProvider): Promise<void> {
  await removeTriggers(db);
  const tables = await sizedTables(db);
  const triggers = isPostgres(db) ? postgresTriggers(tables) : sqliteTriggers(tables);
  for (const statement of triggers) await sql.raw(statement).execute(db);
  await sql`insert into storage_use (user_id, bytes, checked_at)
    select id, 0, 0 from users where true on conflict (user_id) do nothing`.execute(db);
  const all = sql.raw(tables.map((table) => countsOf(table)).join(" union all "));
  await sql`update storage_use set bytes =
    coalesce((select sum(c.bytes) from (${all}) c where c.user_id = storage_use.user_id), 0)`.execute(db);
}

async function removeTriggers(db: QueryExecutorProvider): Promise<void> {
  const named = isPostgres(db)
    ? sql<{ name: string }>`select proname as name from pg_proc
        where pronamespace = current_schema()::regnamespace and starts_with(proname, ${prefix})`
    : sql<{
        name: string;
      }>`select name from sqlite_master where type = 'trigger' and substr(name, 1, ${prefix.length}) = ${prefix}`;
  for (const { name } of (await named.execute(db)).rows) {
    await sql.raw(isPostgres(db) ? `drop function "${name}"() cascade` : `drop trigger "${name}"`).execute(db);
  }
}

/** @returns a function that counts a person's bytes row by row */
export async function openCounter(
  db: QueryExecutorProvider,
): Promise<(t: QueryExecutorProvider, userId: string) => Promise<number>> {
  const tables = await sizedTables(db);
  return async (t, userId) => {
    const counts = tables.map((table) => sql`${sql.raw(countsOf(table))} having ${sql.raw(ownerOf(table, "r"))} = ${userId}`);
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(c.bytes), 0) as bytes from (${sql.join(counts, sql` union all `)}) c`.execute(t);
    return Number(rows[0]?.bytes ?? 0);
  };
}

async function sizedTables(db: QueryExecutorProvider): Promise<SizedTable[]> {
  const names = sql.join(countedTables.map(({ name }) => name));
  const { rows } = isPostgres(db)
    ? await sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
        from information_schema.columns where table_schema = current_schema() and data_type = 'text' and table_name in (${names})
        order by ordinal_position`.execute(db)
    : await sql<{ table: string; column: string }>`select m.name as "table", c.name as "column"
        from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and lower(c.type) = 'text' and m.name in (${names}) order by c.cid`.execute(db);
  return countedTables.flatMap((table) => {
    const columns = rows.filter((row) => row.table === table.name).map(({ column }) => column);
    return columns.length === 0 ? [] : [{ ...table, texts: columns.filter(isCounted) }];
  });
}

/** SQL for the bytes of one row. @param row its alias */
function sizeOf({ texts, more }: SizedTable, row: string): string {
  const lengths = texts.map((text) => `coalesce(octet_length(${row}."${text}"), 0)`);
  return [String(rowBytes), ...lengths, ...(more === undefined ? [] : [more(row)])].join(" + ");
}

/** SQL for rows `r` of a table; `p` is the row that has their owner. */
const fromOf = ({ through }: SizedTable, rows: string): string =>
  through === undefined ? `${rows} r` : `${rows} r join ${through.table} p on p.id = r.${through.column}`;

const ownerOf = ({ owner = "user_id", through }: CountedTable, row: string): string =>
  through === undefined ? `${row}.${owner}` : "p.user_id";

/** SQL for the bytes of each person in a table. @param rows another relation with the same columns */
const countsOf = (table: SizedTable, rows = table.name): string =>
  `select ${ownerOf(table, "r")} as user_id, sum(${sizeOf(table, "r")}) as bytes from ${fromOf(table, rows)}
  group by ${ownerOf(table, "r")}`;

/** Rows are deleted before the row that has their owner: the trigger of their deletion reads it. */
const deletedFirst = ({ name, through }: SizedTable) =>
  through === undefined ? [] : [{ parent: through.table, deletion: `delete from ${name} where ${through.column} = old.id;` }];

/** The statement of the trigger that gives a new person a sum. */
const newPerson = "insert into storage_use (user_id, bytes, checked_at) values (new.id, 0, 0);";

/** SQLite has triggers for each row only. */
function sqliteTriggers(tables: readonly SizedTable[]): string[] {
  return [
    `create trigger ${prefix}users after insert on users begin ${newPerson} end`,
    ...tables.flatMap((table) => {
      const { name, owner = "user_id", through, texts, more } = table;
      const belongsTo = through?.column ?? owner;
      const ownerOfRow = (row: string) =>
        through === undefined ? `${row}.${owner}` : `(select user_id from ${through.table} where id = ${row}.${through.column})`;
      const apply = (sign: "+" | "-", row: "new" | "old") =>
        `update storage_use set bytes = bytes ${sign} (${sizeOf(table, row)}) where user_id = ${ownerOfRow(row)};`;
      const hasChanged = `${sizeOf(table, "old")} <> ${sizeOf(table, "new")} or old.${belongsTo} is not new.${belongsTo}`;
      // A job writes its progress every second. Where only texts count, such an update fires no trigger.
      const columns = more === undefined ? `of ${[...new Set([belongsTo, ...texts])].join(", ")} ` : "";
      return [
        `create trigger ${prefix}${name}_added after insert on ${name} begin ${apply("+", "new")} end`,
        `create trigger ${prefix}${name}_removed after delete on ${name} begin ${apply("-", "old")} end`,
        `create trigger ${prefix}${name}_changed after update ${columns}on ${name} when ${hasChanged}
          begin ${apply("-", "old")} ${apply("+", "new")} end`,
        ...deletedFirst(table).map(
          ({ parent, deletion }) => `create trigger ${prefix}${name}_first before delete on ${parent} begin ${deletion} end`,
        ),
      ];
    }),
  ];
}

/** One trigger per statement: it may change thousands of rows, and updates the sum once. */
function postgresTriggers(tables: readonly SizedTable[]): string[] {
  const trigger = (name: string, body: string, when: string) => [
    `create function ${prefix}${name}() returns trigger language plpgsql as $$ begin ${body} end $$`,
    `create trigger ${prefix}${name} ${when} execute function ${prefix}${name}()`,
  ];
  return [
    ...trigger("users", `${newPerson} return null;`, "after insert on users for each row"),
    ...tables.flatMap((table) => {
      const { name } = table;
      const apply = (changes: string) => `update storage_use u set bytes = u.bytes + d.bytes from (
        select c.user_id, sum(c.bytes) as bytes from (${changes}) c group by c.user_id having sum(c.bytes) <> 0
      ) d where u.user_id = d.user_id; return null;`;
      const added = countsOf(table, "new_rows");
      const removed = `select o.user_id, -o.bytes as bytes from (${countsOf(table, "old_rows")}) o`;
      const statement = "for each statement";
      return [
        ...trigger(`${name}_added`, apply(added), `after insert on ${name} referencing new table as new_rows ${statement}`),
        ...trigger(`${name}_removed`, apply(removed), `after delete on ${name} referencing old table as old_rows ${statement}`),
        ...trigger(
          `${name}_changed`,
          apply(`${added} union all ${removed}`),
          `after update on ${name} referencing old table as old_rows new table as new_rows ${statement}`,
        ),
        ...deletedFirst(table).flatMap(({ parent, deletion }) =>
          trigger(`${name}_first`, `${deletion} return old;`, `before delete on ${parent} for each row`),
        ),
      ];
    }),
  ];
}
