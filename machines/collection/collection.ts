import { type EventObject, emit, fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type {
  Changing,
  CollectionContext,
  CollectionEmitted,
  CollectionEvent,
  CollectionTag,
  CollectionTypes,
  Created,
  Drafted,
  Item,
  ItemOf,
} from "./events.ts";
import { createAssign, createLoading, loadingActions } from "./loading.ts";
import { copyActors, shownOnce } from "./shown-once.ts";

// The parts of a machine for a list of a person's own things: load it, add an item with a form, change or remove one
// item at a time. A removal needs a confirmation.

/** The context before anything is loaded. */
export const emptyCollection = {
  known: null,
  draft: null,
  created: null,
  chosen: null,
  change: null,
  returns: 0,
  failure: null,
};

/** The parts of an input that these parts read, whatever else the machine's input has. */
interface Being<Context> {
  context: Context;
}

interface CollectionOptions<Types extends CollectionTypes, Context> {
  /** Where a new item is listed. */
  order?: "newestFirst" | "oldestFirst";
  /** The flaw of the draft as a code for the form; null for none. Pure. */
  flawOf?(draft: Types["draft"], context: Context): string | null;
}

function actionsOf<Types extends CollectionTypes, Context extends CollectionContext<Types>, Event extends EventObject>({
  order = "oldestFirst",
  flawOf = () => null,
}: CollectionOptions<Types, Context>) {
  const change = createAssign<CollectionContext<Types>, Context, Event>();
  const withItems = ({ known }: Context, items: (before: readonly ItemOf<Types>[]) => readonly ItemOf<Types>[]) =>
    known === null ? {} : { known: { ...known, items: items(known.items) } };
  return {
    assignDraft: change((_, { draft }: Drafted<Types>) => ({ draft, failure: null })),
    dropDraft: change(() => ({ draft: null })),
    assignFlaw: change((context, { draft }: Drafted<Types>) => ({ failure: flawOf(draft, context) })),
    assignCreated: change((context, output: Created<Types>) => ({
      ...withItems(context, (items) => (order === "newestFirst" ? [output.item, ...items] : [...items, output.item])),
      created: output.secret === null ? null : output,
      draft: null,
    })),
    dropCreated: change(() => ({ created: null })),
    choose: change((_, { id }: Item) => ({ chosen: id, draft: null, failure: null })),
    assignChange: change((_, wanted: Changing<Types>) => ({
      chosen: wanted.id,
      change: wanted.change,
      draft: null,
      failure: null,
    })),
    dropChosen: change(() => ({ chosen: null, change: null })),
    assignChanged: change((context, output: ItemOf<Types>) =>
      withItems(context, (items) => items.map((item) => (item.id === output.id ? output : item))),
    ),
    removeChosen: change((context) => withItems(context, (items) => items.filter(({ id }) => id !== context.chosen))),
    countReturn: change(({ returns }) => ({ returns: returns + 1 })),
    emitCreated: emit<Context, Event, undefined, Event, CollectionEmitted>({ type: "item.created" }),
    emitChanged: emit<Context, Event, undefined, Event, CollectionEmitted>({ type: "item.changed" }),
    emitRemoved: emit<Context, Event, undefined, Event, CollectionEmitted>({ type: "item.removed" }),
  };
}

/** The parts of a machine with such a list. The machine chooses among them and adds its own. */
export function createCollection<
  Types extends CollectionTypes,
  Context extends CollectionContext<Types>,
  Event extends EventObject,
>(options: CollectionOptions<Types, Context> = {}) {
  const loading = createLoading<Types["known"], Context, Event>();
  const { flawOf = () => null } = options;
  const actors = {
    ...loading.actors,
    ...copyActors,
    create: fromPromise<Created<Types>, Drafted<Types>>(async () => notProvided("create")),
    /** Rejects with the code `notFound` for an item that was removed elsewhere. So does `remove`. */
    change: fromPromise<ItemOf<Types>, Changing<Types>>(async () => notProvided("change")),
    remove: fromPromise<void, Item>(async () => notProvided("remove")),
  };
  const guards = {
    ...loading.guards,
    isFlawed: ({ context }: Being<Context>, { draft }: Drafted<Types>) => flawOf(draft, context) !== null,
  };
  const { createStateConfig } = setup({
    types: {
      context: {} as Context,
      events: {} as CollectionEvent<Types>,
      tags: {} as CollectionTag,
      emitted: {} as CollectionEmitted,
    },
    actors,
    actions: {
      ...loadingActions<Types["known"], Context, CollectionEvent<Types>>(),
      ...actionsOf<Types, Context, CollectionEvent<Types>>(options),
    },
    guards,
  });

  const idle = createStateConfig({
    ...loading.idle,
    on: {
      "creation.requested": { target: "writing", actions: "clearFailure" },
      "change.requested": { target: "changing", actions: withEvent("assignChange") },
      "removal.requested": { target: "asking", actions: withEvent("choose") },
    },
  });
  const writing = createStateConfig({
    tags: "writing",
    on: {
      "creation.submitted": [
        { guard: withEvent("isFlawed"), actions: withEvent("assignFlaw") },
        { target: "creating", actions: withEvent("assignDraft") },
      ],
      // The list may have been changed elsewhere in the meantime.
      "creation.dismissed": { target: "idle.refreshing", actions: "clearFailure" },
    },
  });
  const creating = (target: "idle" | "created") =>
    createStateConfig({
      tags: ["writing", "creating"],
      invoke: {
        src: "create",
        input: ({ context }: Being<Context>) => ({ draft: present(context.draft, "the draft") }),
        onDone: { target, actions: [withOutput("assignCreated"), "emitCreated"] },
        // The form still has the draft. The machine forgets it, because it may contain a password.
        onError: { target: "writing", actions: [withEvent("assignFailure"), "dropDraft"] },
      },
    });
  const created = createStateConfig({
    ...shownOnce,
    on: { "copy.requested": ".copying", "secret.dismissed": { target: "idle.refreshing", actions: "dropCreated" } },
  });
  const asking = createStateConfig({
    tags: "asking",
    on: { "removal.confirmed": "removing", "removal.dismissed": { target: "idle", actions: "dropChosen" } },
  });
  const removing = createStateConfig({
    tags: "removing",
    invoke: {
      src: "remove",
      input: ({ context }: Being<Context>) => ({ id: present(context.chosen, "the item's id") }),
      onDone: { target: "idle", actions: ["removeChosen", "dropChosen", "countReturn", "emitRemoved"] },
      // Another device removed the item, or the answer was lost: the list shown may be stale.
      onError: { target: "idle.refreshing", actions: [withEvent("assignFailure"), "dropChosen"] },
    },
  });
  const changing = createStateConfig({
    tags: "changing",
    invoke: {
      src: "change",
      input: ({ context }: Being<Context>) => ({
        id: present(context.chosen, "the item's id"),
        change: present(context.change, "the change"),
      }),
      onDone: { target: "idle", actions: [withOutput("assignChanged"), "dropChosen", "emitChanged"] },
      onError: removing.invoke.onError,
    },
  });

  const parts = {
    types: {
      context: {} as Context,
      events: {} as Event,
      emitted: {} as CollectionEmitted,
      tags: {} as CollectionTag,
    },
    actors,
    actions: { ...loading.actions, ...actionsOf<Types, Context, Event>(options) },
    guards,
  };

  return {
    ...parts,
    /** All parts, for the setup of a machine that has nothing else. */
    parts,
    /** The states before `open`. */
    loading: loading.states,
    /** The states of `open` at rest. The machine chooses their transitions. */
    idle: loading.idle,
    toWriting: idle.on["creation.requested"],
    toChanging: idle.on["change.requested"],
    toAsking: idle.on["removal.requested"],
    /** The states that the transitions of `open` lead to. */
    creation: { writing, creating: creating("idle") },
    creationWithSecret: { writing, creating: creating("created"), created },
    change: { changing },
    removal: { asking, removing },
  };
}
