import pg from "pg";
import * as v from "valibot";
import { inject } from "vitest";

// Databases of test servers in PostgreSQL. A used database is emptied for the next test: creating one and filling the
// caches of its first connections takes longer than most tests.

/** Schema with copies of the rows that a migrated database begins with (tests/grown/harness-postgres.ts). */
const seeds = "seeds";
/** Schemas whose tables belong to a server. */
const own = "('public', 'pgboss')";

/**
 * Empties all tables except for their initial rows. Triggers are off: foreign keys would require an order. `delete`
 * instead of `truncate`, which creates new files.
 */
const emptying = `
do $$
declare
  found record;
  filled boolean;
begin
  perform set_config('session_replication_role', 'replica', true);
  for found in select schemaname, tablename from pg_tables where schemaname in ${own} loop
    execute format('select exists (select from %I.%I)', found.schemaname, found.tablename) into filled;
    if filled then execute format('delete from %I.%I', found.schemaname, found.tablename); end if;
  end loop;
  for found in select tablename, split_part(tablename, '.', 1) as home, split_part(tablename, '.', 2) as name
    from pg_tables where schemaname = '${seeds}' loop
    execute format('insert into %I.%I select * from ${seeds}.%I', found.home, found.name, found.tablename);
  end loop;
  for found in select schemaname, sequencename, start_value from pg_sequences where schemaname in ${own} and last_value is not null loop
    perform setval(format('%I.%I', found.schemaname, found.sequencename)::regclass, found.start_value, false);
  end loop;
end $$`;

/** A hash of the schema. */
const shape = `(
  select md5(string_agg(line, E'\\n' order by line)) from (
    select concat_ws(' ', c.relname, a.attname, a.atttypid, a.attnotnull, a.atthasdef) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${own} and a.attnum > 0
    union all select concat_ws(' ', 'trigger', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', 'constraint', conrelid::regclass, conname) from pg_constraint where conrelid <> 0
    union all select concat_ws(' ', 'function', proname) from pg_proc where pronamespace = 'public'::regnamespace
  ) as lines
)`;
const isAsItWas = `select ${shape} = obj_description('${seeds}'::regnamespace) as same`;

/** Disconnects all other clients, such as a process that a test has killed. Their open transactions are rolled back. */
const disconnecting = `
select count(pg_terminate_backend(pid)) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** Copies the initial rows of a new database, for `emptying`. */
export const keepingSeeds = `
do $$
declare
  found record;
  filled boolean;
begin
  create schema ${seeds};
  for found in select schemaname, tablename from pg_tables where schemaname in ${own} loop
    execute format('select exists (select from %I.%I)', found.schemaname, found.tablename) into filled;
    if filled then
      execute format('create table ${seeds}.%I as table %I.%I',
        found.schemaname || '.' || found.tablename, found.schemaname, found.tablename);
    end if;
  end loop;
  execute format('comment on schema ${seeds} is %L', ${shape});
end $$`;

const Answer = v.tuple([v.object({ same: v.boolean() })]);

const free: string[] = [];
let count = 0;

/** The name of an unused database: a returned one, or a new one that must be created. */
export function takeDatabase(): { name: string; isNew: boolean } {
  const name = free.pop();
  if (name !== undefined) return { name, isNew: false };
  count += 1;
  return { name: `t${process.pid}_${count}`, isNew: true };
}

export async function createNewDatabase(name: string): Promise<void> {
  await onDatabase("postgres", (client) => client.query(`create database ${name} template parlance_template`));
}

/** Empties a database for the next test, or drops it when its schema has changed. */
export async function giveBackDatabase(name: string): Promise<void> {
  const isSame = await onDatabase(name, async (client) => {
    await client.query(disconnecting);
    const [{ same }] = v.parse(Answer, (await client.query(isAsItWas)).rows);
    if (same) await client.query(emptying);
    return same;
  });
  if (isSame) free.push(name);
  else await onDatabase("postgres", (client) => client.query(`drop database ${name} with (force)`));
}

export function urlOf(name: string): string {
  const url = new URL(inject("postgres"));
  url.pathname = `/${name}`;
  return url.href;
}

async function onDatabase<Result>(name: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
