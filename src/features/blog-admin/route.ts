import type { AsyncRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";

/** Raw search parameters. */
export type Asked = Readonly<Record<string, unknown>>;

interface BlogAdminPage<Data> {
  /** The namespace of the page's own texts. The sub-navigation's are in `app`, which is loaded already. */
  texts: string;
  /** Starts the page's actors on a real navigation (no preload). Its result is the loader's data. */
  enter(asked: Asked): Promise<Data>;
  /** Called when the address changes within the page. */
  stay?(asked: Asked): unknown;
  /** The page is left. */
  leave?(): unknown;
  /** From `lazyRouteComponent`, created once for both prefixes. */
  component: AsyncRouteComponent<object>;
}

/**
 * Options of a blog administration page, the same under /blog/admin and /admin/blog. Preloading starts nothing, and a page that
 * was left is never reused: one machine at a time edits a post.
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
