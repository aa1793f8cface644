import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { createAdminListMachine } from "#machines/admin/list.ts";
import { inspected } from "#src/browser/inspection.ts";

type ListMachine<Row, Query> = ReturnType<typeof createAdminListMachine<Row, Query>>;
export type AdminList<Row, Query> = ActorRefFrom<ListMachine<Row, Query>>;

/** One list of the admin panel. */
export interface AdminListKeeper<Row, Query> {
  /** Shows the list for this query: the open one, or a new one. */
  show(query: Query): AdminList<Row, Query>;
  /** The listed data has changed: it is refetched if it is shown. */
  refresh(): void;
  /** It may have changed: it is polled silently. */
  poll(): void;
  /** Leaves the list; aborts a pending call. */
  close(): void;
}

/** @param fetchPage calls the server; throws ApiError */
export function keepAdminList<Row, Query>(
  fetchPage: (query: Query, signal: AbortSignal) => Promise<ListPage<Row>>,
): AdminListKeeper<Row, Query> {
  const machine = createAdminListMachine<Row, Query>().provide({
    actors: { fetchPage: fromPromise(({ input, signal }) => fetchPage(input.query, signal)) },
  });
  let open: AdminList<Row, Query> | undefined;
  return {
    show: (query) => {
      if (open === undefined) open = createActor(machine, { ...inspected(), input: { query } }).start();
      else open.send({ type: "query.changed", query });
      return open;
    },
    refresh: () => open?.send({ type: "refresh.requested" }),
    poll: () => open?.send({ type: "poll.due" }),
    close: () => {
      open?.stop();
      open = undefined;
    },
  };
}
