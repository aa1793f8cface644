import { createFileRoute } from "@tanstack/react-router";
import type { SearchAddress } from "#src/features/search/address.ts";
import { SearchPage } from "#src/features/search/search-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/search")({
  staticData: { titleKey: "titles.search" },
  // Validated where it is used, because every page loads this file.
  validateSearch: (asked: SearchAddress): SearchAddress => asked,
  // No loaderDeps: after a new search the same page stays with its state, and follows the address.
  loader: async ({ location }) => {
    const [{ openSearch }] = await Promise.all([import("#src/features/search/actor.ts"), loadTexts("search")]);
    return openSearch(location.search);
  },
  onStay: ({ loaderData, search }) => loaderData?.follow(search),
  component: () => <SearchPage {...Route.useLoaderData()} />,
});
