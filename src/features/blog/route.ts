import { loadTexts } from "#src/i18n/index.ts";
import type { BlogSearch } from "./address.ts";

const list = () => import("./actor.ts");
const post = () => import("./post-actor.ts");

interface Visit {
  abortController: AbortController;
  location: { search: BlogSearch };
}

/**
 * Options of the blog's list. The list's chunk validates the search parameters, because this code is part of every
 * first visit.
 */
export const blogList = {
  validateSearch: (search: BlogSearch): BlogSearch => search,
  // No loaderDeps: after a new search the same page and its focus stay while the list loads. The router does not call a
  // loader again that is still running, so `onStay` follows the address.
  onStay: async ({ search }: { search: BlogSearch }) => (await list()).followBlog(search),
  loader: async ({ location, cause, abortController: { signal } }: Visit & { cause: string }) => {
    const [{ openBlog }] = await Promise.all([list(), loadTexts("blog")]);
    return openBlog(location.search, cause !== "stay", signal);
  },
  // A preload must not load anything, because there is only one list and it follows the address.
  preload: false,
  gcTime: 0,
};

/** Options of a post's page. */
export const blogPost = {
  loader: async ({ params, abortController: { signal } }: Pick<Visit, "abortController"> & { params: { slug: string } }) => {
    const [{ openPost }] = await Promise.all([post(), loadTexts("blog")]);
    return openPost(params.slug, signal);
  },
  preload: false,
  gcTime: 0,
  // The renderer has no user to show the page to.
  onEnter: async () => import.meta.env.SSR || (await post()).showPost(),
  onStay: async () => (await post()).showPost(),
  onLeave: async () => (await post()).closePost(),
};
