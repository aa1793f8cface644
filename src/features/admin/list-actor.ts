import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { createAdminListMachine } from "#machines/admin/list.ts";
import { inspected } from "#src/browser/inspection.ts";

type ListMachine<Row, Query> = ReturnType<typeof createAdminListMachine<Row, Query>>;
export type AdminList<Row, Query> = ActorRefFrom<ListMachine<Row, Query>>;

/** One list of the admin panel. */
export interface AdminListKeeper<Row, Query> {
  /** Shows what is asked for: in the list that is open, or in a new one. */
  show(query: Query): AdminList<Row, Query>;
  /** What is listed has changed: it is fetched again, if it is shown. */
  refresh(): void;
  /** It may have changed: it is looked at without a word. */
  poll(): void;
  /** The list is left; a call that is under way is called off. */
  close(): void;
}

/** @param fetchPage asks the server; throws ApiError */
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
