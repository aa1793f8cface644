import { Kysely, type Transaction, type TransactionBuilder } from "kysely";
import type { Topic } from "#server/bus/bus.ts";
import { currentGuard, withoutGuard } from "./guard.ts";
import type { Schema } from "./schema.ts";

/** A change as the bus reports it. */
interface Change {
  topic: Topic;
  message: string;
}

type ChangeListener = (change: Change) => void;

/** The changes of each open transaction. */
const noted = new WeakMap<Kysely<Schema>, Map<string, Change>>();

/** A database that reports a transaction's changes after it is committed. */
export class ObservedKysely extends Kysely<Schema> {
  readonly #listeners = new Set<ChangeListener>();

  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async <Result>(work: (t: Transaction<Schema>) => Promise<Result>) => {
      const changes = new Map<string, Change>();
      const result = await execute((t) => {
        noted.set(t, changes);
        return currentGuard()?.run(t, () => work(t)) ?? work(t);
      });
      this.changed(changes.values());
      return result;
    };
    return builder;
  }

  /** @returns ends it */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(changes: Iterable<Change>): void {
    // Listeners begin work of their own, which is not part of this call.
    withoutGuard(() => {
      for (const change of changes) for (const listener of this.#listeners) listener(change);
    });
  }
}

/** Notes a change: listeners are told when the transaction is committed, or at once outside a transaction. */
export function noteChange(t: Kysely<Schema>, topic: Topic, message = ""): void {
  const change = { topic, message };
  const changes = noted.get(t);
  if (changes !== undefined) changes.set(`${topic} ${message}`, change);
  else if (t instanceof ObservedKysely) t.changed([change]);
}

/** @returns ends it */
export function listenToChanges(db: Kysely<Schema>, listener: ChangeListener): () => void {
  return db instanceof ObservedKysely ? db.listen(listener) : () => {};
}
