import type { LoadingContext, LoadingEvent, LoadingTag } from "./loading.ts";
import type { ShownOnceEvent, ShownOnceTag } from "./shown-once.ts";

/** An item of the list. */
export interface Item {
  id: string;
}

/** The loaded items, and what else a machine needs to know about them. */
export interface Listed<One extends Item = Item> {
  items: readonly One[];
}

/** The types of a list. `never` stands for what a list does not have. */
export interface CollectionTypes {
  known: Listed;
  /** The data of the form for a new item. */
  draft: unknown;
  /** The changeable part of an item. */
  change: unknown;
  /** The secret of a new item that is shown once; null for none. */
  secret: string | null;
}

export type ItemOf<Types extends CollectionTypes> = Types["known"]["items"][number];

/** An item that was just created. */
export interface Created<Types extends CollectionTypes = CollectionTypes> {
  item: ItemOf<Types>;
  secret: Types["secret"];
}

/** The draft of a new item. */
export interface Drafted<Types extends CollectionTypes> {
  draft: Types["draft"];
}

/** A change and the id of its item. */
export interface Changing<Types extends CollectionTypes> extends Item {
  change: Types["change"];
}

/** The context of a machine with such a list. */
export interface CollectionContext<Types extends CollectionTypes = CollectionTypes> extends LoadingContext<Types["known"]> {
  /** The draft that is being created. */
  draft: Types["draft"] | null;
  /** The new item with its secret, until the person dismisses it. */
  created: Created<Types> | null;
  /** The id of the item to be changed or removed. */
  chosen: string | null;
  /** The change in progress. */
  change: Types["change"] | null;
  /**
   * Counts how often the list came back without the element that had the focus, for example after a removal. The page
   * then moves the focus.
   */
  returns: number;
}

export type CollectionEvent<Types extends CollectionTypes> =
  | LoadingEvent
  | ShownOnceEvent
  /** The person opens, submits or closes the form for a new item. */
  | { type: "creation.requested" }
  | ({ type: "creation.submitted" } & Drafted<Types>)
  | { type: "creation.dismissed" }
  /** The person changes an item. */
  | ({ type: "change.requested" } & Changing<Types>)
  | { type: "removal.requested"; id: string }
  /** The person confirms or dismisses the removal. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" };

/** Emitted to the page. */
export interface CollectionEmitted {
  type: "item.created" | "item.changed" | "item.removed";
}

export type CollectionTag = LoadingTag | ShownOnceTag | "writing" | "creating" | "asking" | "removing" | "changing";
