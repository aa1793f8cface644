import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import * as v from "valibot";
import { errorCodeOf } from "#server/errors/problem.ts";
import { numbersOf } from "./postgres.ts";
import { quoted, type Table } from "./tables.ts";

// Exclusive use of a database, to move it to PostgreSQL or to restore it there.

/** The name of the lock in PostgreSQL that keeps two of them apart. */
const lockName = "parlance: db move";

/** Why nothing was moved, dumped or restored; shown to the operator. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

/** A connection that reads numbers as the product does, without a limit of time. */
export async function connectTo(url: string): Promise<{ client: Client } & AsyncDisposable> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: url, application_name: "parlance-move", types: await numbersOf() });
  // The awaited call reports the error.
  client.on("error", () => undefined);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end().catch(() => undefined) };
}

/** @throws MoveError while anybody else is connected to it */
export async function connectAlone(url: string): Promise<{ client: Client } & AsyncDisposable> {
  const connection = await connectTo(url);
  const { client } = connection;
  try {
    const { locked } = await one(client, `select pg_try_advisory_lock(hashtext('${lockName}')) as locked`);
    if (locked !== true) throw new MoveError("Another move to this database is running.");
    await refuseWhileUsed(client);
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
  return connection;
}

/** A closed connection takes a moment to disappear. */
async function refuseWhileUsed(client: Client): Promise<void> {
  for (let asked = 1; ; asked += 1) {
    const { others } = await one(
      client,
      `select count(*) as others from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    if (others === 0) return;
    if (asked === 10)
      throw new MoveError("The database in PostgreSQL is in use. Stop every Parlance that is connected to it first.");
    await setTimeout(100);
  }
}

/** The row that a statement answers with. */
export async function one(client: Client, statement: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(statement);
  return v.parse(v.tuple([v.record(v.string(), v.unknown())]), rows)[0];
}

export async function lock(client: Client, tables: readonly Table[], mode: string): Promise<void> {
  const names = tables.map(({ name }) => quoted(name)).join(", ");
  await client.query(`lock table ${names} in ${mode} mode`);
}

interface TransactionOptions {
  begin?: string;
  /** The failed step, for the operator. */
  failure: string;
}

/** @throws MoveError, after which nothing has happened */
export async function inOneTransaction<Result>(
  client: Client,
  { begin = "begin", failure }: TransactionOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    if (error instanceof MoveError) throw error;
    const code = errorCodeOf(error) ?? "";
    throw new MoveError(`${failure}: ${error instanceof Error ? error.message : String(error)} ${code}`.trim(), { cause: error });
  }
}

/** @throws MoveError when it has tables, and none of Parlance */
export async function refuseForeign(client: Client): Promise<void> {
  const { all, ours } = await one(
    client,
    `select count(*) as all, count(*) filter (where tablename = 'kysely_migration') as ours
     from pg_tables where schemaname = current_schema()`,
  );
  if (all !== 0 && ours === 0)
    throw new MoveError("The database in PostgreSQL has tables of another program. Create a separate database for Parlance.");
}

/** Opens the file of an embedded database so that no other process can. @throws MoveError while one has it open */
export function openAlone(dataDir: string): { db: DatabaseSync } & Disposable {
  const db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 0 });
  try {
    db.exec("pragma locking_mode = exclusive; begin exclusive; select count(*) from sqlite_master;");
  } catch (error) {
    db.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (!isBusy) throw error;
    throw new MoveError(`The database in ${dataDir} is in use. First stop Parlance and every other program that has it open.`);
  }
  return { db, [Symbol.dispose]: () => db.close() };
}
