import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { NewPerson, SharedPerson, ShareRole } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { PeopleEmitted, PeopleEvent } from "./events.ts";

interface PeopleContext {
  /** As the server has them, in the order in which it was offered; null before they are loaded. */
  people: readonly SharedPerson[] | null;
  /** To whom it is being offered. */
  wanted: NewPerson | null;
  /** Whose role is being changed, or from whom it is to be taken. */
  subject: string | null;
  role: ShareRole;
  /** From how many it was taken since the panel was opened. */
  withdrawals: number;
  /** Why the last change failed: an error code of the contract; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

/** With whom a transcript is shared, for its owner: offered to an address, their roles changed, taken away after a question. */
export const peopleMachine = setup({
  types: {
    context: {} as PeopleContext,
    events: {} as PeopleEvent,
    emitted: {} as PeopleEmitted,
    /** The form is open. */
    tags: {} as "writing" | "saving",
  },
  actors: {
    load: fromPromise<readonly SharedPerson[]>(async () => notProvided("load")),
    /** Rejects with the codes `conflict` (it is shared with this address) and `tooManyAtOnce`, among others. */
    offer: fromPromise<SharedPerson, NewPerson>(async () => notProvided("offer")),
    /** Rejects with the code `notFound` for somebody who has left; `withdraw`, too. */
    change: fromPromise<SharedPerson, { id: string; role: ShareRole }>(async () => notProvided("change")),
    withdraw: fromPromise<void, { id: string }>(async () => notProvided("withdraw")),
    wakeUps: fromCallback<PeopleEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: { output: readonly SharedPerson[] }) => ({ people: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepWanted: assign((_, { wanted }: { wanted: NewPerson }) => ({ wanted, failure: null })),
    addOffered: assign(({ context }, { output }: { output: SharedPerson }) => ({
      people: [...(context.people ?? []), output],
      wanted: null,
    })),
    keepChange: assign((_, { id, role }: { id: string; role: ShareRole }) => ({ subject: id, role, failure: null })),
    keepChanged: assign(({ context }, { output }: { output: SharedPerson }) => ({
      people: (context.people ?? []).map((person) => (person.id === output.id ? output : person)),
      subject: null,
    })),
    keepSubject: assign((_, { id }: { id: string }) => ({ subject: id, failure: null })),
    dropSubject: assign({ subject: null }),
    removeWithdrawn: assign(({ context }) => ({
      people: (context.people ?? []).filter(({ id }) => id !== context.subject),
      subject: null,
      withdrawals: context.withdrawals + 1,
    })),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error), subject: null }),
    clearFailure: assign({ failure: null }),
    emitEvent: emit((_, event: PeopleEmitted) => event),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
  },
}).createMachine({
  id: "people",
  context: {
    people: null,
    wanted: null,
    subject: null,
    role: "read",
    withdrawals: 0,
    failure: null,
    loadError: null,
  },
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
    /** The server shares with nobody. */
    unavailable: {},
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "new.requested": { target: "writing", actions: "clearFailure" },
            "role.chosen": { target: "changing", actions: { type: "keepChange", params: ({ event }) => event } },
            "withdrawal.requested": { target: "asking", actions: { type: "keepSubject", params: ({ event }) => event } },
          },
          states: {
            // Somebody may have accepted meanwhile, or left.
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
          tags: "writing",
          on: {
            "offer.requested": { target: "offering", actions: { type: "keepWanted", params: ({ event }) => event } },
            "form.dismissed": { target: "idle", actions: "clearFailure" },
          },
        },
        offering: {
          tags: ["writing", "saving"],
          invoke: {
            src: "offer",
            input: ({ context }) => present(context.wanted, "to whom it is offered"),
            onDone: {
              target: "idle",
              actions: [
                { type: "addOffered", params: ({ event }) => event },
                { type: "emitEvent", params: { type: "transcript.offered" } },
              ],
            },
            onError: { target: "writing", actions: { type: "keepFailure", params: ({ event }) => event } },
          },
        },
        changing: {
          invoke: {
            src: "change",
            input: ({ context }) => ({ id: present(context.subject, "the share's id"), role: context.role }),
            onDone: {
              target: "idle",
              actions: [
                { type: "keepChanged", params: ({ event }) => event },
                { type: "emitEvent", params: { type: "role.changed" } },
              ],
            },
            onError: [
              {
                // Somebody has left: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: { type: "keepFailure", params: ({ event }) => event },
              },
              { target: "idle", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
        asking: {
          on: {
            "withdrawal.confirmed": "withdrawing",
            "withdrawal.dismissed": { target: "idle", actions: "dropSubject" },
          },
        },
        withdrawing: {
          invoke: {
            src: "withdraw",
            input: ({ context }) => ({ id: present(context.subject, "the share's id") }),
            onDone: {
              target: "idle",
              actions: ["removeWithdrawn", { type: "emitEvent", params: { type: "share.withdrawn" } }],
            },
            onError: [
              {
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: { type: "keepFailure", params: ({ event }) => event },
              },
              { target: "idle", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof peopleMachine>;

const nobody: readonly SharedPerson[] = [];

export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
export const selectPeople = (snapshot: Snapshot): readonly SharedPerson[] => snapshot.context.people ?? nobody;
/** The form is open. */
export const selectIsWriting = (snapshot: Snapshot): boolean => snapshot.hasTag("writing");
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** From whom it is to be taken, when that waits for a yes; null for nobody. */
export const selectAsked = (snapshot: Snapshot): SharedPerson | null =>
  snapshot.matches({ open: "asking" })
    ? (selectPeople(snapshot).find(({ id }) => id === snapshot.context.subject) ?? null)
    : null;
/** The id of the one who is being changed, or from whom it is being taken; null for none. */
export const selectBusy = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "changing" }) || snapshot.matches({ open: "withdrawing" }) ? snapshot.context.subject : null;
/** From how many it was taken since the panel was opened: what had the focus is gone with each. */
export const selectWithdrawals = (snapshot: Snapshot): number => snapshot.context.withdrawals;
/** Why the last change failed: an error code of the contract; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
