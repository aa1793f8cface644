import { loadTexts } from "#src/i18n/index.ts";
import type { BlogSearch } from "./address.ts";

const list = () => import("./actor.ts");
const post = () => import("./post-actor.ts");

interface Visit {
  abortController: AbortController;
  location: { search: BlogSearch };
}

/** Options of the blog's list. Search parameters are validated in its chunk: this code is part of every first visit. */
export const blogList = {
  validateSearch: (search: BlogSearch): BlogSearch => search,
  // No loaderDeps: another search is the same page, which stays in sight, with what has the focus, while the list
  // follows. A loader that is still at work is not called again.
  onStay: async ({ search }: { search: BlogSearch }) => (await list()).followBlog(search),
  loader: async ({ location, cause, abortController: { signal } }: Visit & { cause: string }) => {
    const [{ openBlog }] = await Promise.all([list(), loadTexts("blog")]);
    return openBlog(location.search, cause !== "stay", signal);
  },
  // Preloading loads nothing: there is one list, which follows the address.
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
  // There is nobody to show it to in the renderer.
  onEnter: async () => import.meta.env.SSR || (await post()).showPost(),
  onStay: async () => (await post()).showPost(),
  onLeave: async () => (await post()).closePost(),
};
