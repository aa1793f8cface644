import type { AsyncRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";

/** Raw search parameters. */
export type Asked = Readonly<Record<string, unknown>>;

interface BlogAdminPage<Data> {
  /** The namespace of the page's own texts. The sub-navigation uses `app`, which is already loaded. */
  texts: string;
  /** Starts the page's actors on a real navigation, not on a preload. Its result is the loader's data. */
  enter(asked: Asked): Promise<Data>;
  /** Called when the address changes within the page. */
  stay?(asked: Asked): unknown;
  /** Called when the user leaves the page. */
  leave?(): unknown;
  /** From `lazyRouteComponent`. Created once for both prefixes. */
  component: AsyncRouteComponent<object>;
}

/**
 * Options of a blog administration page, the same under /blog/admin and /admin/blog. Preloading starts nothing. The
 * router never reuses a page that the user left, so that only one machine at a time edits a post.
 */
export function blogAdminRoute<Data>(titleKey: string, { texts, enter, stay, leave, component }: BlogAdminPage<Data>) {
  return {
    staticData: { titleKey },
    validateSearch: (asked: Asked): Asked => asked,
    loader: async ({ location }: { location: { search: Asked } }): Promise<Data> => {
      const [data] = await Promise.all([enter(location.search), loadTexts(texts)]);
      return data;
    },
    preload: false,
    gcTime: 0,
    ...(stay && { onStay: ({ search }: { search: Asked }) => stay(search) }),
    ...(leave && { onLeave: leave }),
    component,
  };
}
