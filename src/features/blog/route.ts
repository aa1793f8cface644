import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import type { BlogSearch } from "./address.ts";

const list = () => import("./actor.ts");
const post = () => import("./post-actor.ts");

interface Visit {
  abortController: AbortController;
}

/** The options of the blog's list. What the address asks for is checked where it is understood: this much is in every first visit. */
export const blogList = {
  staticData: { titleKey: "titles.blog" },
  validateSearch: (search: BlogSearch): BlogSearch => search,
  loaderDeps: ({ search }: { search: BlogSearch }) => search,
  loader: async ({ deps, cause, abortController: { signal } }: Visit & { deps: BlogSearch; cause: string }) => {
    const [{ openBlog }] = await Promise.all([list(), loadTexts("blog")]);
    return openBlog(deps, cause !== "stay", signal);
  },
  // A hover asks for nothing: the list is one, and follows the address.
  preload: false,
  gcTime: 0,
  component: lazyRouteComponent(() => import("./blog-page.tsx"), "BlogPage"),
};

/** The options of one post's page. */
export const blogPost = {
  staticData: { titleKey: "titles.blogPost" },
  loader: async ({ params, abortController: { signal } }: Visit & { params: { slug: string } }) => {
    const [{ openPost }] = await Promise.all([post(), loadTexts("blog")]);
    return openPost(params.slug, signal);
  },
  preload: false,
  gcTime: 0,
  onEnter: async () => (await post()).showPost(),
  onStay: async () => (await post()).showPost(),
  onLeave: async () => (await post()).closePost(),
  component: lazyRouteComponent(() => import("./post-page.tsx"), "PostPage"),
};
