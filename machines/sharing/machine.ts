import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { CreatedSharedLink, NewSharedLink, SharedLink, SharedLinkChange } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { SharingEmitted, SharingEvent } from "./events.ts";
import { flawOf } from "./rules.ts";

interface SharingInput {
  /** Epoch milliseconds. */
  now: () => number;
}

interface SharingContext extends SharingInput {
  /** As the server has them, newest first; null before they are loaded. */
  links: readonly SharedLink[] | null;
  /** What is being made, or what is being changed. */
  wanted: NewSharedLink | null;
  change: SharedLinkChange | null;
  /** The new one with its secret, until the person has kept it. */
  created: CreatedSharedLink | null;
  /** The id of the one that is edited or to be revoked. */
  subject: string | null;
  /** How many were revoked since the panel was opened. */
  revocations: number;
  /** Why the last change failed: an error code of the contract, or a `SharingFlaw`; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

/** What opens the link goes no further than `created`. */
function shownOf({ secret: _, ...link }: CreatedSharedLink): SharedLink {
  return link;
}

/** The links to a transcript, for its owner: made with the address shown once, listed with their views, changed, revoked after a question. */
export const sharingMachine = setup({
  types: {
    input: {} as SharingInput,
    context: {} as SharingContext,
    events: {} as SharingEvent,
    emitted: {} as SharingEmitted,
    /** The form of a new link, or of one that there is, is open. */
    tags: {} as "writing" | "saving",
  },
  actors: {
    load: fromPromise<readonly SharedLink[]>(async () => notProvided("load")),
    /** Rejects with the codes `tooManyAtOnce` and `passwordCommon`, among others. */
    create: fromPromise<CreatedSharedLink, NewSharedLink>(async () => notProvided("create")),
    /** Rejects with the code `notFound` for one that was revoked elsewhere; `revoke`, too. */
    save: fromPromise<SharedLink, { id: string; change: SharedLinkChange }>(async () => notProvided("save")),
    revoke: fromPromise<void, { id: string }>(async () => notProvided("revoke")),
    wakeUps: fromCallback<SharingEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: { output: readonly SharedLink[] }) => ({ links: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepWanted: assign((_, { wanted }: { wanted: NewSharedLink }) => ({ wanted, failure: null })),
    keepChange: assign((_, { change }: { change: SharedLinkChange }) => ({ change, failure: null })),
    /** The passphrase in them goes with them. */
    dropSent: assign({ wanted: null, change: null }),
    keepCreated: assign(({ context }, { output }: { output: CreatedSharedLink }) => ({
      created: output,
      links: [shownOf(output), ...(context.links ?? [])],
    })),
    dropCreated: assign({ created: null }),
    keepChanged: assign(({ context }, { output }: { output: SharedLink }) => ({
      links: (context.links ?? []).map((link) => (link.id === output.id ? output : link)),
    })),
    keepSubject: assign((_, { id }: { id: string }) => ({ subject: id, failure: null })),
    dropSubject: assign({ subject: null }),
    removeRevoked: assign({ links: ({ context }) => (context.links ?? []).filter(({ id }) => id !== context.subject) }),
    countRevocation: assign({ revocations: ({ context }) => context.revocations + 1 }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    keepFlaw: assign({
      failure: ({ context }, { sent }: { sent: NewSharedLink | SharedLinkChange }) => flawOf(sent, context.now()),
    }),
    clearFailure: assign({ failure: null }),
    emitEvent: emit((_, event: SharingEmitted) => event),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
    isFlawed: ({ context }, { sent }: { sent: NewSharedLink | SharedLinkChange }) => flawOf(sent, context.now()) !== null,
  },
}).createMachine({
  id: "sharing",
  context: ({ input }) => ({
    ...input,
    links: null,
    wanted: null,
    change: null,
    created: null,
    subject: null,
    revocations: 0,
    failure: null,
    loadError: null,
  }),
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
    /** The server knows no links. */
    unavailable: {},
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "new.requested": { target: "writing", actions: "clearFailure" },
            "editing.requested": { target: "editing", actions: { type: "keepSubject", params: ({ event }) => event } },
            "revocation.requested": { target: "asking", actions: { type: "keepSubject", params: ({ event }) => event } },
          },
          states: {
            // Somebody may have opened a link meanwhile, and another tab changed one.
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
            "creation.requested": [
              {
                guard: { type: "isFlawed", params: ({ event }) => ({ sent: event.wanted }) },
                actions: { type: "keepFlaw", params: ({ event }) => ({ sent: event.wanted }) },
              },
              { target: "creating", actions: { type: "keepWanted", params: ({ event }) => event } },
            ],
            "form.dismissed": { target: "idle", actions: "clearFailure" },
          },
        },
        creating: {
          tags: ["writing", "saving"],
          invoke: {
            src: "create",
            input: ({ context }) => present(context.wanted, "the wanted link"),
            onDone: { target: "created", actions: [{ type: "keepCreated", params: ({ event }) => event }, "dropSent"] },
            onError: { target: "writing", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropSent"] },
          },
        },
        /** Its address is shown, this once. */
        created: { on: { "address.dismissed": { target: "idle.refreshing", actions: "dropCreated" } } },
        editing: {
          tags: "writing",
          on: {
            "change.requested": [
              {
                guard: { type: "isFlawed", params: ({ event }) => ({ sent: event.change }) },
                actions: { type: "keepFlaw", params: ({ event }) => ({ sent: event.change }) },
              },
              { target: "saving", actions: { type: "keepChange", params: ({ event }) => event } },
            ],
            "form.dismissed": { target: "idle", actions: ["clearFailure", "dropSubject"] },
          },
        },
        saving: {
          tags: ["writing", "saving"],
          invoke: {
            src: "save",
            input: ({ context }) => ({
              id: present(context.subject, "the link's id"),
              change: present(context.change, "its change"),
            }),
            onDone: {
              target: "idle",
              actions: [
                { type: "keepChanged", params: ({ event }) => event },
                "dropSent",
                "dropSubject",
                { type: "emitEvent", params: { type: "link.changed" } },
              ],
            },
            onError: [
              {
                // Revoked elsewhere: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropSent", "dropSubject"],
              },
              { target: "editing", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropSent"] },
            ],
          },
        },
        asking: {
          on: {
            "revocation.confirmed": "revoking",
            "revocation.dismissed": { target: "idle", actions: "dropSubject" },
          },
        },
        revoking: {
          invoke: {
            src: "revoke",
            input: ({ context }) => ({ id: present(context.subject, "the link's id") }),
            onDone: {
              target: "idle",
              actions: [
                "removeRevoked",
                "dropSubject",
                "countRevocation",
                { type: "emitEvent", params: { type: "link.revoked" } },
              ],
            },
            onError: [
              {
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropSubject"],
              },
              { target: "idle", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropSubject"] },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof sharingMachine>;

const noLinks: readonly SharedLink[] = [];

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.matches("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** Newest first. */
export const selectLinks = (snapshot: Snapshot): readonly SharedLink[] => snapshot.context.links ?? noLinks;
/** The form of a new link, or of one that there is, is open. */
export const selectIsWriting = (snapshot: Snapshot): boolean => snapshot.hasTag("writing");
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** The link whose form is open; null for a new one, and while none is. */
export const selectEdited = (snapshot: Snapshot): SharedLink | null =>
  snapshot.hasTag("writing") ? linkOf(snapshot, snapshot.context.subject) : null;
/** The new one with its secret; null unless it is to be kept now. */
export const selectCreated = (snapshot: Snapshot): CreatedSharedLink | null => snapshot.context.created;
/** The link whose revocation waits for a yes; null for none. */
export const selectAsked = (snapshot: Snapshot): SharedLink | null =>
  snapshot.matches({ open: "asking" }) ? linkOf(snapshot, snapshot.context.subject) : null;
/** The id of the link that is being revoked; null for none. */
export const selectRevoking = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "revoking" }) ? snapshot.context.subject : null;
/** How many were revoked since the panel was opened: what had the focus is gone with each. */
export const selectRevocations = (snapshot: Snapshot): number => snapshot.context.revocations;
/** Why the last change failed: an error code of the contract, or a `SharingFlaw`; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;

const linkOf = (snapshot: Snapshot, id: string | null): SharedLink | null =>
  selectLinks(snapshot).find((link) => link.id === id) ?? null;
