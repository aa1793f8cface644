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

/** The same call, which is not made for what has come along with the page's HTML. The renderer calls nothing: it is given its answers. */
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
