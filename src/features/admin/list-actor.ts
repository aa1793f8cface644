import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { createAdminListMachine } from "#machines/admin/list.ts";
import { inspected } from "#src/browser/inspection.ts";

type ListMachine<Row, Query> = ReturnType<typeof createAdminListMachine<Row, Query>>;
export type AdminList<Row, Query> = ActorRefFrom<ListMachine<Row, Query>>;

/**
 * One list of the admin panel.
 * @param fetchPage calls the server; throws ApiError
 */
export function keepAdminList<Row, Query>(fetchPage: (query: Query, signal: AbortSignal) => Promise<ListPage<Row>>) {
  const machine = createAdminListMachine<Row, Query>().provide({
    actors: { fetchPage: fromPromise(({ input, signal }) => fetchPage(input.query, signal)) },
  });
  let open: AdminList<Row, Query> | undefined;
  return {
    /** Shows the list for this query: the open one, or a new one. */
    show: (query: Query): AdminList<Row, Query> => {
      if (open === undefined) open = createActor(machine, { ...inspected(), input: { query } }).start();
      else open.send({ type: "query.changed", query });
      return open;
    },
    /** The listed data has changed: it is refetched if it is shown. */
    refresh: () => open?.send({ type: "refresh.requested" }),
    /** It may have changed: it is polled silently. */
    poll: () => open?.send({ type: "poll.due" }),
    /** Leaves the list; aborts a pending call. */
    close: () => {
      open?.stop();
      open = undefined;
    },
  };
}
