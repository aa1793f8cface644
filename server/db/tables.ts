import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";

/** The values that both databases store. */
export type Cell = string | number | null;

export interface Table {
  name: string;
  columns: string[];
  /** Reads all rows in the order of their keys: the same statement and the same order in both databases. */
  select: string;
}

const Names = v.array(v.object({ name: v.string() }));
const Columns = v.array(v.object({ name: v.string(), pk: v.number() }));
const References = v.array(v.object({ table: v.string() }));

/**
 * Tables derived from others, which are built again from them: the search's index (search/indexing.ts), sums of bytes
 * (ledger.ts).
 */
export const derivedTables = ["passages", "search_documents", "storage_use"] as const;
/** Tables that each installation has for itself: SQLite's and Kysely's own, and derived ones. */
const ownOfEach = /^(sqlite_|kysely_|search_|passages$|storage_use$)/;
/** The keys that sign tokens and encrypt secrets, which an embedded installation has in files. */
const keys: readonly string[] = ["signing_keys", "sealing_keys"];

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * All tables, each after the tables that it refers to.
 * @param withKeys includes the tables of the keys
 */
export function listTables(db: DatabaseSync, withKeys = false): Table[] {
  const named = v.parse(Names, db.prepare("select name from sqlite_master where type = 'table' order by name").all());
  const names = named.map(({ name }) => name).filter((name) => !ownOfEach.test(name) && (withKeys || !keys.includes(name)));
  const sorted = new Set<string>();
  const add = (name: string) => {
    if (sorted.has(name)) return;
    const references = v.parse(References, db.prepare(`pragma foreign_key_list(${quoted(name)})`).all());
    for (const { table } of references) if (table !== name) add(table);
    sorted.add(name);
  };
  for (const name of names) add(name);
  return [...sorted].map((name) => tableOf(db, name));
}

function tableOf(db: DatabaseSync, name: string): Table {
  const all = v.parse(Columns, db.prepare(`pragma table_info(${quoted(name)})`).all());
  const columns = all.map((column) => column.name);
  const key = all.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const order = (key.length > 0 ? key : all).map((column) => quoted(column.name)).join(", ");
  return { name, columns, select: `select ${columns.map(quoted).join(", ")} from ${quoted(name)} order by ${order}` };
}
