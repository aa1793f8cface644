import { PostgresAdapter, type QueryExecutorProvider, sql } from "kysely";
import { type CountedTable, countedTables, isCounted, rowBytes } from "./counted.ts";

// The sum of what each person keeps: a row in `storage_use` that the database's own triggers keep (counted.ts).

/** A counted table of this database, and its columns that count. */
type Sized = CountedTable & { texts: readonly string[] };

/** What begins the names of the triggers, and of PostgreSQL's functions. */
const prefix = "stored_";

const isPostgres = (db: QueryExecutorProvider) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Makes the triggers anew, and counts everybody. Called by the migration that began it, and by each that changes a counted table. What an
 * older release does not have is left out.
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

/** @returns counts what a person keeps, row by row (bytes) */
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

async function sizedTables(db: QueryExecutorProvider): Promise<Sized[]> {
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

/** Of a row, in bytes. */
function sizeOf({ texts, more }: Sized, row: string): string {
  const lengths = texts.map((text) => `coalesce(octet_length(${row}."${text}"), 0)`);
  return [String(rowBytes), ...lengths, ...(more === undefined ? [] : [more(row)])].join(" + ");
}

/** Rows with whoever they belong to. */
const fromOf = ({ through }: Sized, rows: string): string =>
  through === undefined ? `${rows} r` : `${rows} r join ${through.table} p on p.id = r.${through.column}`;

const ownerOf = ({ owner = "user_id", through }: CountedTable, row: string): string =>
  through === undefined ? `${row}.${owner}` : "p.user_id";

const countsOf = (table: Sized, rows = table.name): string =>
  `select ${ownerOf(table, "r")} as user_id, sum(${sizeOf(table, "r")}) as bytes from ${fromOf(table, rows)}
  group by ${ownerOf(table, "r")}`;

/** A row goes before the row that has its owner, so that it is known whose it was. */
const goesFirst = ({ name, through }: Sized) =>
  through === undefined ? [] : [{ on: through.table, first: `delete from ${name} where ${through.column} = old.id;` }];

/** Of each row. */
function sqliteTriggers(tables: readonly Sized[]): string[] {
  const used = "insert into storage_use (user_id, bytes, checked_at) values (new.id, 0, 0);";
  return [
    `create trigger ${prefix}users after insert on users begin ${used} end`,
    ...tables.flatMap((table) => {
      const { name, owner = "user_id", through, texts, more } = table;
      const whose = (row: string) =>
        through === undefined ? `${row}.${owner}` : `(select user_id from ${through.table} where id = ${row}.${through.column})`;
      const add = (row: string, sign: string) =>
        `update storage_use set bytes = bytes ${sign} (${sizeOf(table, row)}) where user_id = ${whose(row)};`;
      const isOther = `${sizeOf(table, "old")} <> ${sizeOf(table, "new")}`;
      // What is being made says every second how far it is: only texts are looked at where only they count.
      const of = more === undefined ? `of ${texts.join(", ")} ` : "";
      const changes = texts.length > 0 || more !== undefined;
      return [
        `create trigger ${prefix}${name}_added after insert on ${name} begin ${add("new", "+")} end`,
        `create trigger ${prefix}${name}_removed after delete on ${name} begin ${add("old", "-")} end`,
        ...(changes
          ? [
              `create trigger ${prefix}${name}_changed after update ${of}on ${name} when ${isOther}
              begin ${add("old", "-")} ${add("new", "+")} end`,
            ]
          : []),
        ...goesFirst(table).map(
          ({ on, first }) => `create trigger ${prefix}${name}_first before delete on ${on} begin ${first} end`,
        ),
      ];
    }),
  ];
}

/** Of each statement: thousands of rows that it changes are one change of the sum. */
function postgresTriggers(tables: readonly Sized[]): string[] {
  const made = (name: string, body: string, when: string) => [
    `create function ${prefix}${name}() returns trigger language plpgsql as $$ begin ${body} end $$`,
    `create trigger ${prefix}${name} ${when} execute function ${prefix}${name}()`,
  ];
  return [
    ...made(
      "users",
      "insert into storage_use (user_id, bytes, checked_at) values (new.id, 0, 0); return null;",
      "after insert on users for each row",
    ),
    ...tables.flatMap((table) => {
      const { name } = table;
      const apply = (changes: string) => `update storage_use u set bytes = u.bytes + d.bytes from (
        select c.user_id, sum(c.bytes) as bytes from (${changes}) c group by c.user_id having sum(c.bytes) <> 0
      ) d where u.user_id = d.user_id; return null;`;
      const added = countsOf(table, "new_rows");
      const removed = `select o.user_id, -o.bytes as bytes from (${countsOf(table, "old_rows")}) o`;
      const statement = "for each statement";
      return [
        ...made(`${name}_added`, apply(added), `after insert on ${name} referencing new table as new_rows ${statement}`),
        ...made(`${name}_removed`, apply(removed), `after delete on ${name} referencing old table as old_rows ${statement}`),
        ...made(
          `${name}_changed`,
          apply(`${added} union all ${removed}`),
          `after update on ${name} referencing old table as old_rows new table as new_rows ${statement}`,
        ),
        ...goesFirst(table).flatMap(({ on, first }) =>
          made(`${name}_first`, `${first} return old;`, `before delete on ${on} for each row`),
        ),
      ];
    }),
  ];
}
