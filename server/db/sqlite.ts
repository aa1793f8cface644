import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";

/** Statements kept prepared; the product has fewer distinct ones than this. */
const cacheSize = 256;

/**
 * Kysely's SQLite dialect over the SQLite that is part of Node.
 * Durable: what a call has answered is on disk (WAL with synchronous=FULL). What is deleted is overwritten (secure_delete).
 * @param path the database file
 * @param readOnly nothing of it is changed, not even how it is kept
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
      // A transaction that reads before it writes must hold the write lock from the start, or another process's
      // write in between makes it fail at once with SQLITE_BUSY, which no time-out helps against.
      const statement = adapt(database.prepare(sql === "begin" ? "begin immediate" : sql));
      // Schema changes are prepared once in a lifetime, and would make what is cached about columns stale.
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

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite can't store a value of type ${typeof value}`);
}
