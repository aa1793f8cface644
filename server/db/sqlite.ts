import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import { storable } from "./values.ts";

/** Prepared statements to cache; the product has fewer distinct ones. */
const cacheSize = 256;

/**
 * Kysely's SQLite dialect for Node's built-in SQLite.
 * Durable: committed data is on disk (WAL with synchronous=FULL). Deleted data is overwritten (secure_delete).
 * @param path the database file
 * @param readOnly changes nothing, not even the journal mode
 */
export function nodeSqliteDialect(path: string, readOnly = false): SqliteDialect {
  return new SqliteDialect({ database: async () => openDatabase(path, readOnly) });
}

function openDatabase(path: string, readOnly: boolean): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: 10_000, enableForeignKeyConstraints: true, readOnly });
  if (!readOnly) database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;");
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      // A transaction that reads before it writes must hold the write lock from the start; otherwise another process's
      // write in between makes it fail at once with SQLITE_BUSY, regardless of the time-out.
      const statement = adapt(database.prepare(sql === "begin" ? "begin immediate" : sql));
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
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function bindable(given: unknown): SQLInputValue {
  const value = storable(given);
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite can't store a value of type ${typeof value}`);
}
