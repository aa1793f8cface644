import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { MadePasskey, Passkey, PasskeyCreation } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { PasskeysEmitted, PasskeysEvent, PasskeyWish } from "./events.ts";

/** What is typed: a password for adding and removing, a name for adding and renaming. */
interface Typed {
  name: string;
  password: string;
}

interface PasskeysContext {
  /** As the server has them, the oldest first; null before they are loaded. */
  passkeys: readonly Passkey[] | null;
  typed: Typed;
  /** What the device is to make, once the password was right. */
  offer: PasskeyCreation | null;
  /** What the device has made, until the server has it. */
  made: MadePasskey | null;
  /** What is to be done, and with which. */
  wish: { wish: PasskeyWish; id: string } | null;
  /** How many were removed since the page was opened. */
  removals: number;
  /** Why the last change failed: an error code of the contract, `noName`, or one of the browser's; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

const nothing: Typed = { name: "", password: "" };

/** A person's passkeys: listed, made on their device after the password, renamed, removed. */
export const passkeysMachine = setup({
  types: {
    context: {} as PasskeysContext,
    events: {} as PasskeysEvent,
    emitted: {} as PasskeysEmitted,
    /** The server does not know passkeys. */
    tags: {} as "unavailable" | "adding" | "busy",
  },
  actors: {
    load: fromPromise<readonly Passkey[]>(async () => notProvided("load")),
    /** Rejects with the codes `wrongPassword`, `freshSignInRequired` and `tooManyAtOnce`, among others. */
    offer: fromPromise<PasskeyCreation, { password: string }>(async () => notProvided("offer")),
    /** Asks the device. Rejects with the codes `passkeyDismissed`, `passkeyKnown`, `passkeyElsewhere` and `passkeyUnsupported`. */
    make: fromPromise<MadePasskey, PasskeyCreation>(async () => notProvided("make")),
    /** Rejects with the codes `passkeyExpired`, `passkeyRefused` and `network`, among others. */
    keep: fromPromise<Passkey, { name: string; made: MadePasskey }>(async () => notProvided("keep")),
    /** Rejects with the code `notFound` for one that was removed elsewhere. */
    change: fromPromise<void, { wish: PasskeyWish; id: string } & Typed>(async () => notProvided("change")),
    wakeUps: fromCallback<PasskeysEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keepList: assign((_, { output }: { output: readonly Passkey[] }) => ({ passkeys: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepTyped: assign((_, { name, password }: Typed) => ({ typed: { name: name.trim(), password }, failure: null })),
    dropPassword: assign({ typed: ({ context: { typed } }) => ({ ...typed, password: "" }) }),
    dropTyped: assign({ typed: nothing, offer: null, made: null }),
    keepOffer: assign({ offer: (_, { output }: { output: PasskeyCreation }) => output }),
    keepMade: assign({ made: (_, { output }: { output: MadePasskey }) => output }),
    addKept: assign({ passkeys: ({ context }, { output }: { output: Passkey }) => [...(context.passkeys ?? []), output] }),
    keepWish: assign((_, { wish, id }: { wish: PasskeyWish; id: string }) => ({ wish: { wish, id }, failure: null })),
    dropWish: assign({ wish: null, typed: nothing }),
    rename: assign({
      passkeys: ({ context: { passkeys, wish, typed } }) =>
        passkeys?.map((one) => (one.id === wish?.id ? { ...one, name: typed.name } : one)) ?? null,
    }),
    remove: assign(({ context: { passkeys, wish, removals } }) => ({
      passkeys: passkeys?.filter(({ id }) => id !== wish?.id) ?? null,
      removals: removals + 1,
    })),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseNameless: assign({ failure: "noName" }),
    clearFailure: assign({ failure: null }),
    emitAdded: emit({ type: "passkeys.changed", what: "added" }),
    emitRenamed: emit({ type: "passkeys.changed", what: "renamed" }),
    emitRemoved: emit({ type: "passkeys.changed", what: "removed" }),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
    isUnheard: (_, { error }: Failed) => codeOf(error) === "network",
    isNameless: (_, { name }: Typed) => name.trim() === "",
    isRenamedNameless: ({ context }, { name }: Typed) => context.wish?.wish === "rename" && name.trim() === "",
    isRenaming: ({ context }) => context.wish?.wish === "rename",
  },
}).createMachine({
  id: "passkeys",
  context: {
    passkeys: null,
    typed: nothing,
    offer: null,
    made: null,
    wish: null,
    removals: 0,
    failure: null,
    loadError: null,
  },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "open", actions: { type: "keepList", params: ({ event }) => event } },
        onError: [
          { guard: { type: "isNotOffered", params: ({ event }) => event }, target: "unavailable" },
          { target: "failed", actions: { type: "keepLoadError", params: ({ event }) => event } },
        ],
      },
    },
    unavailable: { tags: "unavailable" },
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "new.requested": { target: "adding", actions: "clearFailure" },
            "change.requested": { target: "changing", actions: { type: "keepWish", params: ({ event }) => event } },
          },
          states: {
            // Another tab may have changed them meanwhile, or another device signed in with one.
            resting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "refreshing" } },
            /** What is shown stays until the answer, and if there is none. */
            refreshing: {
              invoke: {
                src: "load",
                onDone: { target: "resting", actions: { type: "keepList", params: ({ event }) => event } },
                onError: "resting",
              },
            },
          },
        },
        adding: {
          tags: "adding",
          initial: "typing",
          exit: "dropTyped",
          states: {
            /** Its name and the password are asked for. */
            typing: {
              on: {
                "creation.requested": [
                  { guard: { type: "isNameless", params: ({ event }) => event }, actions: "refuseNameless" },
                  { target: "offering", actions: { type: "keepTyped", params: ({ event }) => event } },
                ],
                "form.dismissed": { target: "#passkeys.open.idle", actions: "clearFailure" },
              },
            },
            offering: {
              tags: "busy",
              exit: "dropPassword",
              invoke: {
                src: "offer",
                input: ({ context }) => context.typed,
                onDone: { target: "making", actions: { type: "keepOffer", params: ({ event }) => event } },
                onError: { target: "typing", actions: { type: "keepFailure", params: ({ event }) => event } },
              },
            },
            /** The device asks who is there. */
            making: {
              tags: "busy",
              invoke: {
                src: "make",
                input: ({ context }) => present(context.offer, "what is to be made"),
                onDone: { target: "keeping", actions: { type: "keepMade", params: ({ event }) => event } },
                onError: { target: "typing", actions: { type: "keepFailure", params: ({ event }) => event } },
              },
              // Its question may be anywhere, or nowhere any more.
              on: { "form.dismissed": { target: "#passkeys.open.idle", actions: "clearFailure" } },
            },
            keeping: {
              tags: "busy",
              invoke: {
                src: "keep",
                input: ({ context }) => ({ name: context.typed.name, made: present(context.made, "what was made") }),
                onDone: {
                  target: "#passkeys.open.idle.refreshing",
                  actions: [{ type: "addKept", params: ({ event }) => event }, "emitAdded"],
                },
                onError: [
                  {
                    guard: { type: "isUnheard", params: ({ event }) => event },
                    target: "unkept",
                    actions: { type: "keepFailure", params: ({ event }) => event },
                  },
                  { target: "typing", actions: { type: "keepFailure", params: ({ event }) => event } },
                ],
              },
            },
            /** The device has it, the server does not: it is sent once more, and not made once more. */
            unkept: {
              on: {
                "creation.requested": [
                  { guard: { type: "isNameless", params: ({ event }) => event }, actions: "refuseNameless" },
                  {
                    target: "keeping",
                    actions: [{ type: "keepTyped", params: ({ event }) => event }, "dropPassword"],
                  },
                ],
                "form.dismissed": { target: "#passkeys.open.idle", actions: "clearFailure" },
              },
            },
          },
        },
        /** A name, or the password, is asked for. */
        changing: {
          on: {
            "change.submitted": [
              { guard: { type: "isRenamedNameless", params: ({ event }) => event }, actions: "refuseNameless" },
              { target: "applying", actions: { type: "keepTyped", params: ({ event }) => event } },
            ],
            "form.dismissed": { target: "idle", actions: ["dropWish", "clearFailure"] },
          },
        },
        applying: {
          tags: "busy",
          invoke: {
            src: "change",
            input: ({ context }) => ({ ...context.typed, ...present(context.wish, "what is wanted") }),
            onDone: [
              { guard: "isRenaming", target: "idle", actions: ["rename", "dropWish", "emitRenamed"] },
              { target: "idle", actions: ["remove", "dropWish", "emitRemoved"] },
            ],
            onError: [
              {
                // Removed elsewhere: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropWish"],
              },
              {
                target: "changing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropPassword"],
              },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof passkeysMachine>;

const noPasskeys: readonly Passkey[] = [];

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** The oldest first. */
export const selectPasskeys = (snapshot: Snapshot): readonly Passkey[] => snapshot.context.passkeys ?? noPasskeys;
/** The form of a new one is open. */
export const selectIsAdding = (snapshot: Snapshot): boolean => snapshot.hasTag("adding");
/** The device asks who is there. */
export const selectIsMaking = (snapshot: Snapshot): boolean => snapshot.matches({ open: { adding: "making" } });
/** The device has made it, and only the server does not have it yet. */
export const selectIsUnkept = (snapshot: Snapshot): boolean => snapshot.matches({ open: { adding: "unkept" } });
/** What is done with which; null unless a form for it is open. */
export const selectWish = (snapshot: Snapshot): PasskeysContext["wish"] => snapshot.context.wish;
/** Something typed, or made, is on its way. */
export const selectIsBusy = (snapshot: Snapshot): boolean => snapshot.hasTag("busy");
/** How many were removed since the page was opened: what had the focus is gone with each. */
export const selectRemovals = (snapshot: Snapshot): number => snapshot.context.removals;
/** Why the last change failed: an error code of the contract, `noName`, or one of the browser's; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
