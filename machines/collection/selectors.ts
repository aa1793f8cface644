import type { Item } from "./events.ts";

/** The parts of a snapshot that the selectors read. */
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

/** A snapshot of a machine with such a list. */
export type CollectionShown<One> = Shown<Listing<One> & Counting>;

const none: readonly never[] = [];

/** In the order of the list. */
export const selectItems = <One>({ context }: Shown<Listing<One>>): readonly One[] => context.known?.items ?? none;
/** Whether the form for a new item is open. */
export const selectIsWriting = ({ tags }: Shown<unknown>): boolean => tags.has("writing");
/** Whether a new item is being sent to the server. */
export const selectIsCreating = ({ tags }: Shown<unknown>): boolean => tags.has("creating");
/** The new item with its secret; null unless the secret is being shown. */
export const selectCreated = <New>({ context }: Shown<{ created: New | null }>): New | null => context.created;
/** The chosen item; null for none. */
export const selectChosen = <One extends Item>({ context }: Shown<Listing<One> & Choosing>): One | null =>
  context.known?.items.find(({ id }) => id === context.chosen) ?? null;
/** The item whose removal needs a confirmation; null for none. */
export const selectAsked = <One extends Item>(snapshot: Shown<Listing<One> & Choosing>): One | null =>
  snapshot.tags.has("asking") ? selectChosen(snapshot) : null;
/** The id of the item that is being removed; null for none. */
export const selectRemoving = ({ tags, context }: Shown<Choosing>): string | null =>
  tags.has("removing") ? context.chosen : null;
/** The id of the item that is being changed; null for none. */
export const selectChanging = ({ tags, context }: Shown<Choosing>): string | null =>
  tags.has("changing") ? context.chosen : null;
/** The id of the item that is being changed or removed; null for none. */
export const selectBusy = (snapshot: Shown<Choosing>): string | null => selectChanging(snapshot) ?? selectRemoving(snapshot);
/** Counts how often the list came back without the element that had the focus, for example after a removal. */
export const selectReturns = ({ context }: Shown<Counting>): number => context.returns;
