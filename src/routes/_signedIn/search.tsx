import { createFileRoute } from "@tanstack/react-router";
import type { SearchAddress } from "#src/features/search/address.ts";
import { SearchPage } from "#src/features/search/search-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/search")({
  staticData: { titleKey: "titles.search" },
  // What makes no sense in it is passed over where it is used: every page loads what stands here.
  validateSearch: (asked: SearchAddress): SearchAddress => asked,
  // No loaderDeps: another search is the same page, with what is open in it, which follows the address.
  loader: async ({ location }) => {
    const [{ openSearch }] = await Promise.all([import("#src/features/search/actor.ts"), loadTexts("search")]);
    return openSearch(location.search);
  },
  onStay: ({ loaderData, search }) => loaderData?.follow(search),
  component: () => <SearchPage {...Route.useLoaderData()} />,
});
