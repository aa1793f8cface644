import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { CreatedPersonalToken, NewPersonalToken, PersonalToken } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { PersonalTokensEmitted, PersonalTokensEvent } from "./events.ts";

interface PersonalTokensContext {
  /** As the server has them, newest first; null before they are loaded. */
  tokens: readonly PersonalToken[] | null;
  /** What is being made. */
  wanted: NewPersonalToken | null;
  /** The new one with its secret, until the person has kept it. */
  created: CreatedPersonalToken | null;
  /** The id of the one that is to be revoked. */
  revoked: string | null;
  /** How many were revoked since the page was opened. */
  revocations: number;
  /** Why the last change failed: an error code of the contract, `noName` or `noScope`; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

const isUnnamed = ({ name }: NewPersonalToken) => name.trim() === "";

/** A person's personal access tokens: listed, made with the secret shown once, revoked after a question. */
export const personalTokensMachine = setup({
  types: {
    context: {} as PersonalTokensContext,
    events: {} as PersonalTokensEvent,
    emitted: {} as PersonalTokensEmitted,
    /** The server does not know personal access tokens. */
    tags: {} as "unavailable",
  },
  actors: {
    load: fromPromise<readonly PersonalToken[]>(async () => notProvided("load")),
    /** Rejects with the codes `wrongPassword`, `freshSignInRequired` and `tooManyAtOnce`, among others. */
    create: fromPromise<CreatedPersonalToken, NewPersonalToken>(async () => notProvided("create")),
    /** Rejects with the code `notFound` for one that was revoked elsewhere. */
    revoke: fromPromise<void, { id: string }>(async () => notProvided("revoke")),
    wakeUps: fromCallback<PersonalTokensEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: { output: readonly PersonalToken[] }) => ({ tokens: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepWanted: assign((_, { wanted }: { wanted: NewPersonalToken }) => ({ wanted, failure: null })),
    /** The password in it goes with it. */
    dropWanted: assign({ wanted: null }),
    keepCreated: assign(({ context }, { output }: { output: CreatedPersonalToken }) => {
      const { token: _, ...shown } = output;
      return { created: output, tokens: [shown, ...(context.tokens ?? [])] };
    }),
    dropCreated: assign({ created: null }),
    keepRevoked: assign((_, { id }: { id: string }) => ({ revoked: id, failure: null })),
    dropRevoked: assign({ revoked: null }),
    removeRevoked: assign({ tokens: ({ context }) => (context.tokens ?? []).filter(({ id }) => id !== context.revoked) }),
    countRevocation: assign({ revocations: ({ context }) => context.revocations + 1 }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseNameless: assign({ failure: "noName" }),
    refuseScopeless: assign({ failure: "noScope" }),
    clearFailure: assign({ failure: null }),
    emitRevoked: emit({ type: "token.revoked" }),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
    isUnnamed: (_, { wanted }: { wanted: NewPersonalToken }) => isUnnamed(wanted),
    hasNoScope: (_, { wanted }: { wanted: NewPersonalToken }) => wanted.scopes.length === 0,
  },
}).createMachine({
  id: "personalTokens",
  context: { tokens: null, wanted: null, created: null, revoked: null, revocations: 0, failure: null, loadError: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "open", actions: { type: "keep", params: ({ event }) => event } },
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
            "new.requested": { target: "writing", actions: "clearFailure" },
            "revocation.requested": { target: "asking", actions: { type: "keepRevoked", params: ({ event }) => event } },
          },
          states: {
            // Another tab may have changed them meanwhile, or a program used one.
            resting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "refreshing" } },
            /** What is shown stays until the answer, and if there is none. */
            refreshing: {
              invoke: {
                src: "load",
                onDone: { target: "resting", actions: { type: "keep", params: ({ event }) => event } },
                onError: "resting",
              },
            },
          },
        },
        writing: {
          on: {
            "creation.requested": [
              { guard: { type: "isUnnamed", params: ({ event }) => event }, actions: "refuseNameless" },
              { guard: { type: "hasNoScope", params: ({ event }) => event }, actions: "refuseScopeless" },
              { target: "creating", actions: { type: "keepWanted", params: ({ event }) => event } },
            ],
            // Another tab may have ended them meanwhile: the list is looked at again.
            "new.dismissed": { target: "idle.refreshing", actions: "clearFailure" },
          },
        },
        creating: {
          invoke: {
            src: "create",
            input: ({ context }) => present(context.wanted, "the wanted token"),
            onDone: {
              target: "created",
              actions: [{ type: "keepCreated", params: ({ event }) => event }, "dropWanted"],
            },
            onError: {
              target: "writing",
              actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropWanted"],
            },
          },
        },
        /** Its secret is shown, this once. */
        created: { on: { "secret.dismissed": { target: "idle.refreshing", actions: "dropCreated" } } },
        asking: {
          on: {
            "revocation.confirmed": "revoking",
            "revocation.dismissed": { target: "idle", actions: "dropRevoked" },
          },
        },
        revoking: {
          invoke: {
            src: "revoke",
            input: ({ context }) => ({ id: present(context.revoked, "the token's id") }),
            onDone: { target: "idle", actions: ["removeRevoked", "dropRevoked", "countRevocation", "emitRevoked"] },
            onError: [
              {
                // Revoked elsewhere: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropRevoked"],
              },
              { target: "idle", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropRevoked"] },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof personalTokensMachine>;

const noTokens: readonly PersonalToken[] = [];

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** Newest first. */
export const selectTokens = (snapshot: Snapshot): readonly PersonalToken[] => snapshot.context.tokens ?? noTokens;
/** The form of a new one is open. */
export const selectIsWriting = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "writing" }) || snapshot.matches({ open: "creating" });
export const selectIsCreating = (snapshot: Snapshot): boolean => snapshot.matches({ open: "creating" });
/** The new one with its secret; null unless it is to be kept now. */
export const selectCreated = (snapshot: Snapshot): CreatedPersonalToken | null => snapshot.context.created;
/** The token whose revocation waits for a yes; null for none. */
export const selectAsked = (snapshot: Snapshot): PersonalToken | null =>
  snapshot.matches({ open: "asking" })
    ? (selectTokens(snapshot).find(({ id }) => id === snapshot.context.revoked) ?? null)
    : null;
/** The id of the token that is being revoked; null for none. */
export const selectRevoking = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "revoking" }) ? snapshot.context.revoked : null;
/** How many were revoked since the page was opened: what had the focus is gone with each. */
export const selectRevocations = (snapshot: Snapshot): number => snapshot.context.revocations;
/** Why the last change failed: an error code of the contract, `noName` or `noScope`; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
