import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { PostsQuery } from "#contract/index.ts";
import { postsAdminMachine } from "#machines/blog-admin/posts.ts";
import { createBlogAdminApi } from "#src/api/blog-admin.ts";
import { inspected } from "#src/browser/inspection.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

export type PostsAdmin = ActorRefFrom<typeof postsAdminMachine>;
type Asked = Readonly<Record<string, unknown>>;

export const blogAdminApi = createBlogAdminApi(call);

const machine = postsAdminMachine.provide({
  actors: {
    load: fromPromise(({ input, signal }) => blogAdminApi.list(input, signal)),
    act: fromPromise(({ input, signal }) => blogAdminApi.bulk(input.action, input.ids, signal)),
  },
});

/** A search parameter as text. The router parses number-like values as numbers. */
const text = v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), "");
const Query = v.object({
  page: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  search: text,
  status: v.fallback(v.picklist(["all", "draft", "published"]), "all"),
  topic: text,
  language: text,
  generated: v.fallback(v.picklist(["all", "yes", "no"]), "all"),
});

/** The query of an address; invalid values are ignored. */
export function readQuery(asked: Asked): PostsQuery {
  const { page, search, status, topic, language, generated } = asked;
  return v.parse(Query, { page, search, status, topic, language, generated });
}

/** The search parameters of a query, without default values. */
export function writeQuery({ page, search, status, topic, language, generated }: PostsQuery): Asked {
  return {
    ...(page > 1 && { page }),
    ...(search !== "" && { search }),
    ...(status !== "all" && { status }),
    ...(topic !== "" && { topic }),
    ...(language !== "" && { language }),
    ...(generated !== "all" && { generated }),
  };
}

const lists = perOwner<PostsAdmin>({ end: (actor) => actor.stop() });

/** Opens the list for the current address. The selection survives visits to other pages. */
export function openPosts(asked: Asked): PostsAdmin {
  const query = readQuery(asked);
  const known = lists.mine();
  known?.send({ type: "query.changed", query });
  return (
    known ??
    lists.replace(() => {
      const actor = createActor(machine, { ...inspected(), input: { query } });
      // Bulk actions change the list.
      actor.on("action.done", () => actor.send({ type: "refresh.requested" }));
      return actor.start();
    })
  );
}

/** Refetches the list after another part of the page has changed a post. */
export function refreshPosts(): void {
  lists.opened()?.send({ type: "refresh.requested" });
}
