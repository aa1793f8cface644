import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { NewPerson, SharedPerson, ShareRole } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { PeopleEmitted, PeopleEvent } from "./events.ts";

interface PeopleContext {
  /** As the server has them, in the order in which it was offered; null before they are loaded. */
  people: readonly SharedPerson[] | null;
  /** To whom it is being offered, or could not be. */
  wanted: NewPerson | null;
  /** Whose role is being changed, or from whom it is to be taken. */
  subject: string | null;
  role: ShareRole;
  /** To how many it was offered since the panel was opened. */
  offers: number;
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
      offers: context.offers + 1,
    })),
    keepChange: assign((_, { id, role }: { id: string; role: ShareRole }) => ({
      subject: id,
      role,
      wanted: null,
      failure: null,
    })),
    keepChanged: assign(({ context }, { output }: { output: SharedPerson }) => ({
      people: (context.people ?? []).map((person) => (person.id === output.id ? output : person)),
      subject: null,
    })),
    keepSubject: assign((_, { id }: { id: string }) => ({ subject: id, wanted: null, failure: null })),
    dropSubject: assign({ subject: null }),
    removeWithdrawn: assign(({ context }) => ({
      people: (context.people ?? []).filter(({ id }) => id !== context.subject),
      subject: null,
    })),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error), subject: null }),
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
    offers: 0,
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
            "offer.requested": { target: "offering", actions: { type: "keepWanted", params: ({ event }) => event } },
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
        offering: {
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
            onError: { target: "idle", actions: { type: "keepFailure", params: ({ event }) => event } },
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
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches("failed");
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
export const selectPeople = (snapshot: Snapshot): readonly SharedPerson[] => snapshot.context.people ?? nobody;
export const selectIsOffering = (snapshot: Snapshot): boolean => snapshot.matches({ open: "offering" });
/** From whom it is to be taken, when that waits for a yes; null for nobody. */
export const selectAsked = (snapshot: Snapshot): SharedPerson | null =>
  snapshot.matches({ open: "asking" })
    ? (selectPeople(snapshot).find(({ id }) => id === snapshot.context.subject) ?? null)
    : null;
/** The id of the one who is being changed, or from whom it is being taken; null for none. */
export const selectBusy = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "changing" }) || snapshot.matches({ open: "withdrawing" }) ? snapshot.context.subject : null;
/** To how many it was offered since the panel was opened: the form is empty again with each. */
export const selectOffers = (snapshot: Snapshot): number => snapshot.context.offers;
/** Why it could not be offered: an error code of the contract; null unless that failed last. */
export const selectOfferFailure = ({ context: { wanted, failure } }: Snapshot): string | null =>
  wanted === null ? null : failure;
/** Why the last other change failed. */
export const selectFailure = ({ context: { wanted, failure } }: Snapshot): string | null => (wanted === null ? failure : null);
