import { type Compilable, type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db } from "./open.ts";

/** Stands for a value until the query is run. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Values = Readonly<Record<string, string | number | null>>;
export type ValueOf<Given extends Values> = <Name extends keyof Given & string>(name: Name) => RawBuilder<Given[Name]>;

/**
 * A query that is built once per kind of database and run with different values: building one takes longer than SQLite
 * needs to answer it. For the few queries of nearly every request.
 * @param build gets the values' placeholders by name; its result must not depend on anything else
 * @returns a function that runs it; also in a transaction
 */
export function prepared<Given extends Values, Row>(
  build: (db: Db, value: ValueOf<Given>) => Compilable<Row>,
): (db: Db, values: Given) => Promise<Row[]> {
  /** By adapter, which a database and its transactions share. */
  const built = new WeakMap<object, CompiledQuery<Row>>();
  const placeholder: ValueOf<Given> = (name) => sql`${new Placeholder(name)}`;
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    const query = built.get(adapter) ?? build(db, placeholder).compile();
    built.set(adapter, query);
    const parameters = query.parameters.map((given) => (given instanceof Placeholder ? values[given.name] : given));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
