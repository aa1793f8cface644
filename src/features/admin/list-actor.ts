import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { createAdminListMachine } from "#machines/admin/list.ts";
import { inspected } from "#src/browser/inspection.ts";

type ListMachine<Row, Query> = ReturnType<typeof createAdminListMachine<Row, Query>>;
export type AdminList<Row, Query> = ActorRefFrom<ListMachine<Row, Query>>;

/**
 * Manages one list of the admin panel.
 * @param fetchPage calls the server; throws ApiError
 */
export function keepAdminList<Row, Query>(fetchPage: (query: Query, signal: AbortSignal) => Promise<ListPage<Row>>) {
  const machine = createAdminListMachine<Row, Query>().provide({
    actors: { fetchPage: fromPromise(({ input, signal }) => fetchPage(input.query, signal)) },
  });
  let open: AdminList<Row, Query> | undefined;
  return {
    /** Shows the list for this query. Reuses an open list. */
    show: (query: Query): AdminList<Row, Query> => {
      if (open === undefined) open = createActor(machine, { ...inspected(), input: { query } }).start();
      else open.send({ type: "query.changed", query });
      return open;
    },
    /** Refetches the open list after its data has changed. */
    refresh: () => open?.send({ type: "refresh.requested" }),
    /** Refetches the open list silently, in case its data has changed. */
    poll: () => open?.send({ type: "poll.due" }),
    /** Closes the list and aborts a pending call. */
    close: () => {
      open?.stop();
      open = undefined;
    },
  };
}
