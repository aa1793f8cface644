import type { LoadingContext, LoadingEvent, LoadingTag } from "./loading.ts";
import type { ShownOnceEvent, ShownOnceTag } from "./shown-once.ts";

/** One of the list. */
export interface Item {
  id: string;
}

/** What is loaded: the items, and what else a machine needs to know of them. */
export interface Listed<One extends Item = Item> {
  items: readonly One[];
}

/** What a list is of. `never` stands for what it does not have. */
export interface CollectionTypes {
  known: Listed;
  /** What a new item is created from. */
  draft: unknown;
  /** What can be changed of an item. */
  change: unknown;
  /** What is shown once of a new item; null for nothing. */
  secret: string | null;
}

export type ItemOf<Types extends CollectionTypes> = Types["known"]["items"][number];

/** An item that was just created. */
export interface Created<Types extends CollectionTypes = CollectionTypes> {
  item: ItemOf<Types>;
  secret: Types["secret"];
}

/** What is to be created. */
export interface Drafted<Types extends CollectionTypes> {
  draft: Types["draft"];
}

/** What is to be different about which item. */
export interface Changing<Types extends CollectionTypes> extends Item {
  change: Types["change"];
}

/** Of a machine with such a list. */
export interface CollectionContext<Types extends CollectionTypes = CollectionTypes> extends LoadingContext<Types["known"]> {
  /** What is being created. */
  draft: Types["draft"] | null;
  /** The new one with its secret, until the person has kept that. */
  created: Created<Types> | null;
  /** The id of the one that is to be changed or removed. */
  chosen: string | null;
  /** What is to be different about it. */
  change: Types["change"] | null;
  /** How often the list came back without what had the focus: one was removed, for example. */
  returns: number;
}

export type CollectionEvent<Types extends CollectionTypes> =
  | LoadingEvent
  | ShownOnceEvent
  /** The person wants a new one: its form opens, is sent, or is given up. */
  | { type: "creation.requested" }
  | ({ type: "creation.submitted" } & Drafted<Types>)
  | { type: "creation.dismissed" }
  /** The person wants an item to be different. */
  | ({ type: "change.requested" } & Changing<Types>)
  | { type: "removal.requested"; id: string }
  /** The person confirms the removal, or does not. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" };

/** Emitted to the page. */
export interface CollectionEmitted {
  type: "item.created" | "item.changed" | "item.removed";
}

export type CollectionTag = LoadingTag | ShownOnceTag | "writing" | "creating" | "asking" | "removing" | "changing";
