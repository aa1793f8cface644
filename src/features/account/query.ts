import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { createQueryMachine } from "#machines/query.ts";
import { inspected } from "#src/browser/inspection.ts";

/** Data that a page loads from the server. */
export type Query<Data> = ActorRefFrom<ReturnType<typeof createQueryMachine<Data>>>;

/**
 * Starts loading. The caller stops the query.
 * @param fetchData throws ApiError
 */
export function startQuery<Data>(fetchData: (signal: AbortSignal) => Promise<Data>): Query<Data> {
  const machine = createQueryMachine<Data>().provide({
    actors: { fetchData: fromPromise(({ signal }) => fetchData(signal)) },
  });
  return createActor(machine, inspected()).start();
}
