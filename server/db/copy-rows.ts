import type { DatabaseSync } from "node:sqlite";
import type { Client } from "pg";
import * as v from "valibot";
import { MoveError } from "./postgres-alone.ts";
import { type Cell, quoted, type Table } from "./tables.ts";
import { storable } from "./values.ts";

// The rows of an embedded database and those in PostgreSQL: copied from the one to the other, and compared.

/** Rows and characters that are read and written at a time. */
const portionRows = 500;
const portionWeight = 4_000_000;

/** Writes all rows of the file's table into the one in PostgreSQL. */
export async function copyToPostgres(source: DatabaseSync, client: Client, { name, columns, select }: Table): Promise<void> {
  const names = columns.map(quoted).join(", ");
  const write = async (rows: readonly Cell[][]) => {
    if (rows.length === 0) return;
    const values = rows.map((row, at) => `(${row.map((_, index) => `$${at * row.length + index + 1}`).join(", ")})`);
    await client.query(`insert into ${quoted(name)} (${names}) values ${values.join(", ")}`, rows.flat());
  };
  let portion: Cell[][] = [];
  let weight = 0;
  for (const row of rowsOf(source, select)) {
    portion.push(row);
    weight += row.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 8), 0);
    if (portion.length < portionRows && weight < portionWeight) continue;
    await write(portion);
    [portion, weight] = [[], 0];
  }
  await write(portion);
}

const Row = v.array(v.union([v.string(), v.number(), v.null()]));

/** Rows as PostgreSQL stores them. */
function* rowsOf(source: DatabaseSync, select: string): Generator<Cell[]> {
  const statement = source.prepare(select);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) yield v.parse(Row, v.parse(v.array(v.unknown()), row).map(storable));
}

/**
 * @param onTable receives each table when it is done
 * @returns how many rows there are
 * @throws MoveError that names the first row that differs
 */
export async function compareAll(
  source: DatabaseSync,
  client: Client,
  tables: readonly Table[],
  onTable?: (name: string, rows: number) => void,
): Promise<number> {
  let total = 0;
  for (const table of tables) {
    const rows = await compare(source, client, table);
    onTable?.(table.name, rows);
    total += rows;
  }
  return total;
}

/** Reads both in the order of their keys, side by side. @returns how many rows there are */
async function compare(source: DatabaseSync, client: Client, table: Table): Promise<number> {
  const { name, select } = table;
  let count = 0;
  const others = portionsOf(client, table);
  let portion: Cell[][] = [];
  const next = async () => {
    if (portion.length === 0) {
      const { value, done } = await others.next();
      portion = done === true ? [] : value.reverse();
    }
    return portion.pop();
  };
  for (const row of rowsOf(source, select)) {
    count += 1;
    if (JSON.stringify(await next()) !== JSON.stringify(row)) {
      throw new MoveError(`Row ${count} of ${name} (${JSON.stringify(row[0])}) differs between the databases.`);
    }
  }
  if ((await next()) !== undefined) throw new MoveError(`PostgreSQL has more rows of ${name}.`);
  return count;
}

/** All rows of a table in PostgreSQL, in the order of their keys, in batches. Call it in a transaction. */
async function* portionsOf(client: Client, { select }: Table): AsyncGenerator<Cell[][], undefined> {
  await client.query(`declare copied no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await client.query({ text: `fetch ${portionRows} from copied`, rowMode: "array" });
    if (rows.length === 0) break;
    yield v.parse(v.array(Row), rows);
  }
  await client.query("close copied");
  return undefined;
}

/**
 * Writes all rows of a table in PostgreSQL into the file's. Within a transaction of both.
 * @param onRows is called with how many rows were copied, from time to time
 */
export async function copyToFile(
  client: Client,
  target: DatabaseSync,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  const { name, columns } = table;
  const places = columns.map(() => "?").join(", ");
  const insert = target.prepare(`insert into ${quoted(name)} (${columns.map(quoted).join(", ")}) values (${places})`);
  for await (const portion of portionsOf(client, table)) {
    // biome-ignore lint/plugin: no table has more than 2,000 columns.
    for (const row of portion) insert.run(...row);
    onRows(portion.length);
  }
}
