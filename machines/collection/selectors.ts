import type { Item } from "./events.ts";

/** What the selectors read of a snapshot. */
interface Shown<Context> {
  tags: ReadonlySet<string>;
  context: Context;
}

interface Listing<One> {
  known: { items: readonly One[] } | null;
}
interface Counting {
  returns: number;
}
interface Choosing {
  chosen: string | null;
}

/** A machine with a list of these, which comes back after a removal. */
export type CollectionShown<One> = Shown<Listing<One> & Counting>;

const none: readonly never[] = [];

/** In the order of the list. */
export const selectItems = <One>({ context }: Shown<Listing<One>>): readonly One[] => context.known?.items ?? none;
/** The form of a new one is open. */
export const selectIsWriting = ({ tags }: Shown<unknown>): boolean => tags.has("writing");
/** The new one is on its way to the server. */
export const selectIsCreating = ({ tags }: Shown<unknown>): boolean => tags.has("creating");
/** The new one with its secret; null unless that is to be kept now. */
export const selectCreated = <New>({ context }: Shown<{ created: New | null }>): New | null => context.created;
/** The one that is chosen; null for none. */
export const selectChosen = <One extends Item>({ context }: Shown<Listing<One> & Choosing>): One | null =>
  context.known?.items.find(({ id }) => id === context.chosen) ?? null;
/** The one whose removal waits for a yes; null for none. */
export const selectAsked = <One extends Item>(snapshot: Shown<Listing<One> & Choosing>): One | null =>
  snapshot.tags.has("asking") ? selectChosen(snapshot) : null;
/** The id of the one that is being removed; null for none. */
export const selectRemoving = ({ tags, context }: Shown<Choosing>): string | null =>
  tags.has("removing") ? context.chosen : null;
/** The id of the one that is being changed; null for none. */
export const selectChanging = ({ tags, context }: Shown<Choosing>): string | null =>
  tags.has("changing") ? context.chosen : null;
/** The id of the one that is being changed or removed; null for none. */
export const selectBusy = (snapshot: Shown<Choosing>): string | null => selectChanging(snapshot) ?? selectRemoving(snapshot);
/** How often the list came back without what had the focus: one was removed, for example. */
export const selectReturns = ({ context }: Shown<Counting>): number => context.returns;
