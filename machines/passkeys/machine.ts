import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { MadePasskey, PasskeyCreation } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionTag, Created, Drafted } from "#machines/collection/events.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { PasskeysEvent, PasskeyTypes, PasskeyWish } from "./events.ts";

type Typed = PasskeyTypes["draft"];

interface PasskeysContext extends CollectionContext<PasskeyTypes> {
  /** The server's options for creating a passkey, once the password was right. */
  offer: PasskeyCreation | null;
  /** The passkey that the device has created, until the server has it. */
  made: MadePasskey | null;
  /** The change to the chosen passkey. */
  wish: PasskeyWish | null;
}

const isNameless = ({ name }: Typed) => name.trim() === "";

const collection = createCollection<PasskeyTypes, PasskeysContext, PasskeysEvent>({
  flawOf: (draft) => (isNameless(draft) ? "noName" : null),
});

/** A person's passkeys: listed, created on their device after the password, renamed, removed. */
export const passkeysMachine = setup({
  /**
   * After `item.created` and `item.removed`, all other sessions of the account have ended. `busy`: something typed or
   * created is being sent.
   */
  types: { ...collection.types, tags: {} as CollectionTag | "busy" },
  actors: {
    ...collection.actors,
    /** Rejects with the codes `wrongPassword`, `freshSignInRequired` and `tooManyAtOnce`, among others. */
    offer: fromPromise<PasskeyCreation, { password: string }>(async () => notProvided("offer")),
    /**
     * Asks the device. Rejects with the codes `passkeyDismissed`, `passkeyKnown`, `passkeyElsewhere` and
     * `passkeyUnsupported`.
     */
    make: fromPromise<MadePasskey, PasskeyCreation>(async () => notProvided("make")),
    /** Rejects with the codes `passkeyExpired`, `passkeyRefused` and `network`, among others. */
    keep: fromPromise<Created<PasskeyTypes>, { name: string; made: MadePasskey }>(async () => notProvided("keep")),
    /** Rejects with the code `notFound` for a passkey that was removed elsewhere. */
    apply: fromPromise<void, { wish: PasskeyWish; id: string } & Typed>(async () => notProvided("apply")),
  },
  actions: {
    ...collection.actions,
    assignTyped: assign((_, { draft: { name, password } }: Drafted<PasskeyTypes>) => ({
      draft: { name: name.trim(), password },
      failure: null,
    })),
    dropPassword: assign({ draft: ({ context: { draft } }) => draft && { ...draft, password: "" } }),
    clearPasskey: assign({ offer: null, made: null }),
    assignOffer: assign({ offer: (_, offer: PasskeyCreation) => offer }),
    assignPasskey: assign({ made: (_, made: MadePasskey) => made }),
    assignWish: assign((_, { wish }: { wish: PasskeyWish }) => ({ wish })),
    dropWish: assign({ wish: null, chosen: null, draft: null }),
    rename: assign({
      known: ({ context: { known, chosen, draft } }) =>
        known && { items: known.items.map((one) => (one.id === chosen && draft ? { ...one, name: draft.name } : one)) },
    }),
  },
  guards: {
    ...collection.guards,
    isGone: (_, { error }: Failed) => isGone(error),
    isUnheard: (_, { error }: Failed) => codeOf(error) === "network",
    isRenamedNameless: ({ context }, { draft }: Drafted<PasskeyTypes>) => context.wish === "rename" && isNameless(draft),
    isRenaming: ({ context }) => context.wish === "rename",
  },
}).createMachine({
  id: "passkeys",
  context: { ...emptyCollection, offer: null, made: null, wish: null },
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...collection.idle,
          on: {
            "creation.requested": { target: "writing", actions: "clearFailure" },
            "change.requested": { target: "changing", actions: [withEvent("choose"), withEvent("assignWish")] },
          },
        },
        writing: {
          tags: "writing",
          initial: "typing",
          exit: ["dropDraft", "clearPasskey"],
          states: {
            /** Waits for a name and the password. */
            typing: {
              on: {
                "creation.submitted": [
                  { guard: withEvent("isFlawed"), actions: withEvent("assignFlaw") },
                  { target: "offering", actions: withEvent("assignTyped") },
                ],
                "creation.dismissed": { target: "#passkeys.open.idle", actions: "clearFailure" },
              },
            },
            offering: {
              tags: "busy",
              exit: "dropPassword",
              invoke: {
                src: "offer",
                input: ({ context }) => present(context.draft, "the draft"),
                onDone: { target: "making", actions: withOutput("assignOffer") },
                onError: { target: "typing", actions: withEvent("assignFailure") },
              },
            },
            /** The device asks the person to confirm. */
            making: {
              tags: "busy",
              invoke: {
                src: "make",
                input: ({ context }) => present(context.offer, "what is to be made"),
                onDone: { target: "keeping", actions: withOutput("assignPasskey") },
                onError: { target: "typing", actions: withEvent("assignFailure") },
              },
              // The device's prompt may be hidden or gone.
              on: { "creation.dismissed": { target: "#passkeys.open.idle", actions: "clearFailure" } },
            },
            keeping: {
              tags: "busy",
              invoke: {
                src: "keep",
                input: ({ context: { draft, made } }) => ({
                  name: present(draft, "the draft").name,
                  made: present(made, "what was made"),
                }),
                onDone: { target: "#passkeys.open.idle.refreshing", actions: [withOutput("assignCreated"), "emitCreated"] },
                onError: [
                  { guard: withEvent("isUnheard"), target: "unkept", actions: withEvent("assignFailure") },
                  { target: "typing", actions: withEvent("assignFailure") },
                ],
              },
            },
            /** The device has the passkey, but the server does not: it is sent again, not created again. */
            unkept: {
              on: {
                "creation.submitted": [
                  { guard: withEvent("isFlawed"), actions: withEvent("assignFlaw") },
                  { target: "keeping", actions: [withEvent("assignTyped"), "dropPassword"] },
                ],
                "creation.dismissed": { target: "#passkeys.open.idle", actions: "clearFailure" },
              },
            },
          },
        },
        /** Waits for a name or the password. */
        changing: {
          tags: "changing",
          on: {
            "change.submitted": [
              { guard: withEvent("isRenamedNameless"), actions: withEvent("assignFlaw") },
              { target: "applying", actions: withEvent("assignTyped") },
            ],
            "change.dismissed": { target: "idle", actions: ["dropWish", "clearFailure"] },
          },
        },
        applying: {
          tags: ["changing", "busy"],
          invoke: {
            src: "apply",
            input: ({ context: { draft, wish, chosen } }) => ({
              ...present(draft, "the draft"),
              wish: present(wish, "what is wanted"),
              id: present(chosen, "the passkey's id"),
            }),
            onDone: [
              { guard: "isRenaming", target: "idle", actions: ["rename", "dropWish", "emitChanged"] },
              { target: "idle", actions: ["removeChosen", "dropWish", "countReturn", "emitRemoved"] },
            ],
            onError: [
              {
                // Removed elsewhere: the list shown is stale.
                guard: withEvent("isGone"),
                target: "idle.refreshing",
                actions: [withEvent("assignFailure"), "dropWish"],
              },
              { target: "changing", actions: [withEvent("assignFailure"), "dropPassword"] },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof passkeysMachine>;

/** Whether the device is asking the person to confirm. */
export const selectIsMaking = (snapshot: Snapshot): boolean => snapshot.matches({ open: { writing: "making" } });
/** Whether the device has created the passkey and the server does not have it yet. */
export const selectIsUnkept = (snapshot: Snapshot): boolean => snapshot.matches({ open: { writing: "unkept" } });
/** The change to this passkey; null unless its form is open. */
export const selectWish = ({ context }: Snapshot, id: string): PasskeyWish | null =>
  context.chosen === id ? context.wish : null;
/** Whether something typed or created is being sent. */
export const selectIsBusy = (snapshot: Snapshot): boolean => snapshot.hasTag("busy");
