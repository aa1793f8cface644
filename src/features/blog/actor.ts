import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import { blogListMachine, selectIsLoadingPopular, selectIsLoadingPosts, selectList, selectQuery } from "#machines/blog/list.ts";
import { createBlogApi } from "#src/api/blog.ts";
import { createCall } from "#src/api/http.ts";
import { inspected } from "#src/browser/inspection.ts";
import { isServerRendered } from "#src/browser/server-rendered.ts";
import { plainSend } from "#src/features/session/actor.ts";
import { i18n } from "#src/i18n/index.ts";
import { queryOf } from "./address.ts";
import { withAnswers } from "./answers.ts";

export const blogApi = createBlogApi(withAnswers(createCall(plainSend)));

const machine = blogListMachine.provide({
  actors: {
    fetchPosts: fromPromise(({ input, signal }) => blogApi.list(input, i18n.language, signal)),
    fetchPopular: fromPromise(({ signal }) => blogApi.popular(signal)),
  },
});
export type BlogListActor = ActorRefFrom<typeof machine>;

let list: BlogListActor | undefined;

/**
 * The list for the current address. It lives as long as the page, so that coming back shows it at once.
 * Resolves when there is something to show.
 * @param isEntered whether the person comes from another page
 */
export async function openBlog(search: unknown, isEntered: boolean, signal: AbortSignal): Promise<BlogListActor> {
  const query = queryOf(search);
  // Of the renderer's visitor before.
  if (import.meta.env.SSR && isServerRendered()) list = undefined;
  if (list === undefined) {
    list = createActor(machine, { ...inspected(), input: { query } }).start();
    if (!import.meta.env.SSR) i18n.on("languageChanged", reload);
  } else if (isEntered) list.send({ type: "list.entered", query });
  const actor = list;
  // What came as HTML has the popular posts, too.
  const isWhole = isServerRendered();
  await waitFor(
    actor,
    (now) => (selectList(now) !== null || !selectIsLoadingPosts(now)) && !(isWhole && selectIsLoadingPopular(now)),
    { signal },
  );
  return actor;
}

/** The address has changed within the list. */
export function followBlog(search: unknown): void {
  list?.send({ type: "query.changed", query: queryOf(search) });
}

/** Another language's posts come first now. */
function reload(): void {
  if (list) list.send({ type: "list.entered", query: selectQuery(list.getSnapshot()) });
}
