import type { AsyncRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";

/** What stands after the question mark of the address, unchecked. */
export type Asked = Readonly<Record<string, unknown>>;

interface BlogAdminPage<Data> {
  /** The namespace of the page's own texts. The sub-navigation's stand in `app`, which is there already. */
  texts: string;
  /** Begins what the page shows, once it is really gone to. Its result is the loader's data. */
  enter(asked: Asked): Promise<Data>;
  /** The address has changed, and the page is the same. */
  stay?(asked: Asked): unknown;
  /** The page is left. */
  leave?(): unknown;
  /** By `lazyRouteComponent`, made once for both prefixes. */
  component: AsyncRouteComponent<object>;
}

/**
 * The options of a page of the blog's administration, the same under /blog/admin and /admin/blog. A hover begins nothing, and nothing
 * of a page that was left is shown again: what is edited stands in one machine at a time.
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
