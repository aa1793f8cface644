import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import {
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { isLocked, translatedSqlite } from "./errors.ts";
import { storable } from "./values.ts";

/** Prepared statements to cache; the product has fewer distinct ones. */
const cacheSize = 256;
/** The ms to wait for another process's lock while opening, when the process has no other work yet. */
const openingMs = 10_000;
/** The ms for which SQLite waits for it later, while nothing else runs in this process. */
const blockingMs = 10;
/** The total ms for which a statement waits for it, and the maximum between two attempts. */
const lockedMs = 10_000;
const longestPauseMs = 50;

/**
 * Kysely's SQLite dialect for Node's built-in SQLite.
 * Durable: committed data is on disk (WAL with synchronous=FULL). Deleted data is overwritten (secure_delete).
 * @param path the database file
 * @param readOnly changes nothing, not even the journal mode
 */
export function nodeSqliteDialect(path: string, readOnly = false): SqliteDialect {
  return new PatientDialect({ database: async () => openDatabase(path, readOnly) });
}

class PatientDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new PatientDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * Migrations are one transaction: a process that dies leaves none of them incomplete, and of two processes that open a
 * database at once, one waits for the other. SQLite supports this, but Kysely does not assume it.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const reads = /^\s*select\b/i;

/** Waits for the lock of another process without keeping this one from anything else. */
class PatientDriver extends SqliteDriver {
  #known: DatabaseConnection | undefined;
  /** When the first waiting statement found it locked, since the last change (ms of `performance.now`). */
  #lockedSince: number | undefined;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (connection !== this.#known) {
      this.#known = connection;
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, ...args) => this.#whenUnlocked(query.sql, () => execute<never>(query, ...args));
    }
    return connection;
  }

  /** A statement that found it locked had no effect. If others have already waited in vain, a new one fails at once. */
  async #whenUnlocked<Result>(sql: string, run: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const result = await run();
        if (!reads.test(sql)) this.#lockedSince = undefined;
        return result;
      } catch (error) {
        if (!isLocked(error)) throw translatedSqlite(error);
        this.#lockedSince ??= performance.now();
        if (performance.now() - this.#lockedSince > lockedMs) throw translatedSqlite(error);
        await pause(Math.min(2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2));
      }
    }
  }
}

function openDatabase(path: string, readOnly: boolean): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: openingMs, enableForeignKeyConstraints: true, readOnly });
  if (!readOnly) database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;");
  database.exec(`pragma busy_timeout = ${blockingMs}`);
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      // A transaction that reads before it writes must hold the write lock from the start; otherwise another process's
      // write in between makes it fail at once with SQLITE_BUSY, regardless of the time-out.
      const adapted = adapt(database.prepare(sql === "begin" ? "begin immediate" : sql));
      const statement = sql === "rollback" ? ifBegun(database, adapted) : adapted;
      // Schema changes run once, and would make cached column information stale.
      if (/^(select|insert|update|delete|begin|commit|rollback)\b/.test(sql)) {
        if (prepared.size >= cacheSize) prepared.clear();
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    // biome-ignore-start lint/plugin: SQLite prepares no statement of more than 32,766 parameters.
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
    // biome-ignore-end lint/plugin: as above
  };
}

/** On a full disk SQLite has already rolled back: the failing rollback must not hide the reason. */
function ifBegun(database: DatabaseSync, rollback: SqliteStatement): SqliteStatement {
  return { ...rollback, run: (given) => (database.isTransaction ? rollback.run(given) : { changes: 0, lastInsertRowid: 0 }) };
}

function bindable(given: unknown): SQLInputValue {
  const value = storable(given);
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite can't store a value of type ${typeof value}`);
}
