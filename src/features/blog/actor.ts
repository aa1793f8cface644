import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import { blogListMachine, selectIsLoadingPopular, selectIsLoadingPosts, selectList, selectQuery } from "#machines/blog/list.ts";
import { createBlogApi } from "#src/api/blog.ts";
import { ApiError, type Call, createCall } from "#src/api/http.ts";
import { missAnswer, takeAnswer } from "#src/browser/answers.ts";
import { inspected } from "#src/browser/inspection.ts";
import { isServerRendered } from "#src/browser/server-rendered.ts";
import { plainSend } from "#src/features/session/actor.ts";
import { i18n } from "#src/i18n/index.ts";
import { queryOf } from "./address.ts";

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
 * Opens the list for the current address. The list lives as long as the page, so that a return shows it at once.
 * Resolves when there is something to show.
 * @param isEntered whether the user comes from another page
 */
export async function openBlog(search: unknown, isEntered: boolean, signal: AbortSignal): Promise<BlogListActor> {
  const query = queryOf(search);
  // On the server, discards the list of the previous visitor.
  if (import.meta.env.SSR && isServerRendered()) list = undefined;
  if (list === undefined) {
    list = createActor(machine, { ...inspected(), input: { query } }).start();
    if (!import.meta.env.SSR) i18n.on("languageChanged", reload);
  } else if (isEntered) list.send({ type: "list.entered", query });
  const actor = list;
  // The server's HTML already contains the popular posts.
  const isWhole = isServerRendered();
  await waitFor(
    actor,
    (now) => (selectList(now) !== null || !selectIsLoadingPosts(now)) && !(isWhole && selectIsLoadingPopular(now)),
    { signal },
  );
  return actor;
}

/** Called when the address changes within the list. */
export function followBlog(search: unknown): void {
  list?.send({ type: "query.changed", query: queryOf(search) });
}

/** Reloads the list after a change of the interface language, whose posts come first. */
function reload(): void {
  if (list) list.send({ type: "list.entered", query: selectQuery(list.getSnapshot()) });
}

/**
 * Wraps a call so that answers embedded in the page's HTML are not fetched again. The renderer never calls the server:
 * it is given its answers.
 */
function withAnswers(call: Call): Call {
  return async (path, options) => {
    const answer = takeAnswer(path);
    const parsed = answer && v.safeParse(options.schema, answer.json);
    if (parsed?.success) return parsed.output;
    if (!import.meta.env.SSR || !isServerRendered()) return call(path, options);
    missAnswer(path);
    throw new ApiError(0, "network");
  };
}
