import { type ActorRefFrom, createActor } from "xstate";
import { libraryAddressMachine } from "#machines/transcriptions/address.ts";
import {
  type filedFiltersMachine,
  selectFolder,
  selectOnlyFavourites,
  selectTags,
} from "#machines/transcriptions/filed-filters.ts";
import { type filtersMachine, filtersOf, selectSearchTerm } from "#machines/transcriptions/filters.ts";
import type { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import { selectSort } from "#machines/transcriptions/selectors.ts";
import type { LibraryView } from "#machines/transcriptions/view.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";

export type LibraryAddressActor = ActorRefFrom<typeof libraryAddressMachine>;

interface Library {
  actor: ActorRefFrom<typeof transcriptionsMachine>;
  filters: ActorRefFrom<typeof filtersMachine>;
  filedFilters: ActorRefFrom<typeof filedFiltersMachine>;
}

function viewOf({ actor, filters, filedFilters }: Library): LibraryView {
  const [chosen, filed] = [filters.getSnapshot(), filedFilters.getSnapshot()];
  return {
    ...filtersOf(chosen),
    q: selectSearchTerm(chosen),
    folder: selectFolder(filed),
    tags: selectTags(filed),
    favourites: selectOnlyFavourites(filed),
    sort: selectSort(actor.getSnapshot()),
  };
}

function show({ actor, filters, filedFilters }: Library, view: LibraryView): void {
  const filed = filedFilters.getSnapshot();
  const tags = selectTags(filed);
  const others = [...tags.filter((id) => !view.tags.includes(id)), ...view.tags.filter((id) => !tags.includes(id))];
  actor.send({ type: "order.changed", sort: view.sort });
  filters.send({ type: "search.changed", term: view.q });
  filters.send({ type: "language.changed", language: view.language });
  filters.send({ type: "dateRange.changed", dateRange: view.dateRange });
  filters.send({ type: "status.changed", status: view.status });
  filedFilters.send({ type: "folder.changed", folder: view.folder });
  for (const id of others) filedFilters.send({ type: "tag.toggled", id });
  if (selectOnlyFavourites(filed) !== view.favourites) filedFilters.send({ type: "favourites.toggled" });
}

/**
 * Keeps the dashboard's address and its list in step.
 * @param dropDeleted called when the address has chosen folders and tags, because they may have been deleted
 */
export function followAddress(library: Library, dropDeleted: () => void): LibraryAddressActor {
  const address = createActor(libraryAddressMachine, inspected());
  address.on("address.shown", ({ view }) => {
    show(library, view);
    address.send({ type: "address.followed" });
    dropDeleted();
    sendView();
  });
  address.on("address.outdated", ({ view }) => {
    void pageRouter().navigate({
      to: "/dashboard",
      search: { ...view, tags: [...view.tags] },
      replace: true,
      resetScroll: false,
    });
  });
  const sendView = () => address.send({ type: "view.changed", view: viewOf(library) });
  library.filters.subscribe(sendView);
  library.filedFilters.subscribe(sendView);
  let sort = selectSort(library.actor.getSnapshot());
  library.actor.subscribe((snapshot) => {
    if (sort === selectSort(snapshot)) return;
    sort = selectSort(snapshot);
    sendView();
  });
  return address.start();
}
