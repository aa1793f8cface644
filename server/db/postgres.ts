import {
  ColumnDefinitionNode,
  CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Driver,
  type FunctionNode,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
  type QueryCompiler,
  type TransactionSettings,
} from "kysely";
import type { CustomTypesConfig, Pool, PoolConfig } from "pg";
import * as v from "valibot";
import { translated } from "./errors.ts";
import { beginning, repeatedStatement } from "./retry.ts";
import { storable } from "./values.ts";

/** Connections of a process. PostgreSQL itself takes 100 by default. */
const poolSize = 10;
/** The ms to wait for a free connection, and for a new one. */
const connectMs = 10_000;
/** The ms after which PostgreSQL cancels a statement. */
const statementMs = 60_000;
/**
 * The ms after which PostgreSQL ends an idle transaction. Its process is suspended, and no other one waits longer than
 * 15 s for its locks.
 */
const idleInTransactionMs = 10_000;

/** PostgreSQL's numbers of its types bigint and numeric, which `pg` would return as text. */
const int8 = 20;
const numeric = 1700;

/**
 * Kysely's dialect for PostgreSQL 15 and newer, with the semantics of SQLite: transactions run as if in sequence; texts
 * are ordered by their bytes; integers have 64 bits, and are numbers in JavaScript.
 * @param readOnly refuses every change
 */
export function postgresDialect(url: string, readOnly = false): PostgresDialect {
  return new PortableDialect({ pool: () => openPool(url, readOnly) });
}

/** The settings of every connection to PostgreSQL, also of those outside of Kysely. */
export function connectionSettings(url: string): PoolConfig {
  return {
    connectionString: url,
    application_name: "parlance",
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
  };
}

/** How `pg` parses values: integers and sums become numbers. */
export async function numbersOf(): Promise<CustomTypesConfig> {
  const { types } = await import("pg");
  return {
    getTypeParser: (id: number, format?: "text" | "binary") =>
      id === int8 || id === numeric ? Number : types.getTypeParser(id, format),
  };
}

async function openPool(url: string, readOnly: boolean): Promise<Pool> {
  // Loaded only where it is used: it takes part of the time to start.
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    ...connectionSettings(url),
    max: poolSize,
    ...(readOnly ? { options: "-c default_transaction_read_only=on" } : {}),
    types: await numbersOf(),
  });
  // A connection may break while it is idle or in use; a user of it gets the error from the awaited call. The pool
  // opens another one. Without listeners the process would end.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

class PortableDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new SerializableDriver(this.#config);
  }

  override createQueryCompiler(): QueryCompiler {
    return new PortableCompiler();
  }
}

/** Functions that have another name here. */
const functions = new Map([["instr", "strpos"]]);

class PortableCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode);
    // Times are in columns of either name; and SQLite compares texts by their bytes.
    if (isColumn && node.dataType === "integer") this.append("bigint");
    else if (isColumn && node.dataType === "text") this.append('text collate "C"');
    else super.visitDataType(node);
  }

  protected override visitFunction(node: FunctionNode): void {
    super.visitFunction({ ...node, func: functions.get(node.func) ?? node.func });
  }
}

/**
 * A transaction that must run alone waits here for all other transactions to end, and they wait here for it; single
 * statements that change rows wait at the tables. The first lock is Kysely's own, which nothing else uses. All locks
 * are taken before the first query, so that the query does not see data from before the wait.
 */
const turnstile = '"kysely_migration_lock"';
const begin = "begin isolation level serializable; lock table";
const beginBeside = `${begin} ${turnstile} in row share mode`;
const beginAlone = (tables: string) =>
  `${begin} ${turnstile} in exclusive mode; lock table ${tables} in share row exclusive mode`;
/** All tables of the product, in one row. */
const ownTables = CompiledQuery.raw(
  `select string_agg(format('%I', tablename), ', ' order by tablename) as names from pg_tables
   where schemaname = current_schema() and tablename not like 'kysely%'`,
);
const Names = v.object({ rows: v.tuple([v.object({ names: v.string() })]) });

/** A statement that changes rows depending on other rows: even on its own it must be serializable. */
const readsAndWrites = /^\s*(insert|update|delete|merge|with)\b.*\bselect\b/is;

class SerializableDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();
  /** Connections with an open transaction. */
  readonly #begun = new WeakSet<DatabaseConnection>();

  override async acquireConnection(...args: Parameters<PostgresDriver["acquireConnection"]>): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...args).catch(failed);
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      this.#prepare(connection);
    }
    return connection;
  }

  #prepare(connection: DatabaseConnection): void {
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query, ...args) => {
      const stored = { ...query, parameters: query.parameters.map(storable) };
      const run = () => execute<never>(stored, ...args).catch(failed);
      if (this.#begun.has(connection)) return run();
      return repeatedStatement(readsAndWrites.test(query.sql) ? () => serializable(execute, run) : run);
    };
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const how = beginning.getStore();
    this.#begun.add(connection);
    if (how === undefined) return super.beginTransaction(connection, settings);
    try {
      const statement = how.alone
        ? beginAlone(v.parse(Names, await connection.executeQuery(ownTables)).rows[0].names)
        : beginBeside;
      await connection.executeQuery(CompiledQuery.raw(statement));
    } catch (error) {
      // It may have begun and then failed to lock.
      this.#begun.delete(connection);
      await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => undefined);
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } finally {
      // A failed commit also ends the transaction. Not earlier: it would be repeated like a single statement, and then
      // succeed.
      this.#begun.delete(connection);
    }
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver["rollbackTransaction"]>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } finally {
      this.#begun.delete(connection);
    }
  }
}

function failed(error: unknown): never {
  throw translated(error);
}

async function serializable<Result>(execute: DatabaseConnection["executeQuery"], run: () => Promise<Result>): Promise<Result> {
  await execute(CompiledQuery.raw("begin isolation level serializable"));
  try {
    const result = await run();
    await execute(CompiledQuery.raw("commit"));
    return result;
  } catch (error) {
    // If the connection is broken, that error is thrown.
    await execute(CompiledQuery.raw("rollback")).catch(() => undefined);
    throw error;
  }
}
