import type { AsyncRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "../../i18n/index.ts";

/** What a loader knows of where it was called. `deps`: what the route's `loaderDeps` made of the address. */
export interface At<Deps> {
  deps: Deps;
  abortController: AbortController;
}

interface BlogAdminPage<Deps, Data extends object> {
  /** The namespace of the page's own texts. The sub-navigation's stand in `app`, which is there already. */
  texts: string;
  /** Begins what the page shows, once it is really gone to. Its result is the loader's data. */
  enter(at: At<Deps>): Promise<Data>;
  /** The page is left. */
  leave?(): unknown;
  /** By `lazyRouteComponent`, made once for both prefixes. */
  component: AsyncRouteComponent<object>;
}

/**
 * The options of a page of the blog's administration, the same under /blog/admin and /admin/blog. A hover begins nothing, and nothing
 * of a page that was left is shown again: what is edited stands in one machine at a time.
 */
export function blogAdminRoute<Deps, Data extends object>(
  titleKey: string,
  { texts, enter, leave, component }: BlogAdminPage<Deps, Data>,
) {
  return {
    staticData: { titleKey },
    loader: async (at: At<Deps>): Promise<Data> => {
      const [data] = await Promise.all([enter(at), loadTexts(texts)]);
      return data;
    },
    preload: false,
    gcTime: 0,
    ...(leave && { onLeave: leave }),
    component,
  };
}
