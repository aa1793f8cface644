import { MessagePort, workerData } from "node:worker_threads";
import pg from "pg";
import * as v from "valibot";

/**
 * The thread of blocking-postgres.ts: queries PostgreSQL, posts the answer and rings. Empty SQL closes the connection.
 */
const { port, bell } = v.parse(
  v.object({ port: v.instance(MessagePort), bell: v.instance(Int32Array<SharedArrayBuffer>) }),
  workerData,
);
const Question = v.object({ url: v.string(), sql: v.string(), parameters: v.array(v.union([v.string(), v.number(), v.null()])) });
/** bigint and numeric become numbers, as in the product. */
const types = {
  getTypeParser: (id: number, format?: "text" | "binary") =>
    id === 20 || id === 1700 ? Number : pg.types.getTypeParser(id, format),
};
const clients = new Map<string, pg.Client>();

async function clientOf(url: string): Promise<pg.Client> {
  const known = clients.get(url);
  if (known !== undefined) return known;
  const client = new pg.Client({ connectionString: url, types });
  client.on("error", () => clients.delete(url));
  await client.connect();
  clients.set(url, client);
  return client;
}

async function answer(message: unknown): Promise<unknown> {
  const { url, sql, parameters } = v.parse(Question, message);
  try {
    if (sql === "") {
      await clients.get(url)?.end();
      clients.delete(url);
      return { rows: [], changes: 0 };
    }
    const client = await clientOf(url);
    const { rows, rowCount } = await client.query(sql, parameters);
    return { rows: rows ?? [], changes: rowCount ?? 0 };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

port.on("message", async (message) => {
  port.postMessage(await answer(message));
  Atomics.store(bell, 0, 1);
  Atomics.notify(bell, 0);
});
