import { assign, enqueueActions, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { SharedLink, SharedLinkChange } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { createLoading, type LoadingContext, type LoadingTag, selectFailure } from "#machines/collection/loading.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { SharingEmitted, SharingEvent, SharingOutcome, SharingRequest } from "./events.ts";
import { flawOf, type Switch, type Switches } from "./rules.ts";

interface SharingInput {
  /** The current time in epoch ms. */
  now: () => number;
}

/** Newest first. */
type KnownLinks = Listed<SharedLink>;

interface SharingContext extends SharingInput, LoadingContext<KnownLinks> {
  /** The chosen content of a new link. */
  draft: Switches;
  /** The running request, and the waiting ones. */
  requests: readonly SharingRequest[];
  /** The id of the link whose revocation waits for a confirmation. */
  asked: string | null;
  /** An address that the browser refused to copy, and the id of its link. */
  uncopied: { id: string; address: string } | null;
  /** By link id, the number of times its form was saved. */
  saves: Readonly<Record<string, number>>;
  /** The id of the link whose last request failed; null for a new one. */
  failed: string | null;
}

interface Details {
  id: string;
  change: SharedLinkChange;
}

const idOf = (request: SharingRequest | undefined): string | null =>
  request === undefined || request.kind === "create" ? null : request.id;

/** The links after a request was answered. */
function linksAfter(links: readonly SharedLink[], request: SharingRequest, outcome: SharingOutcome): readonly SharedLink[] {
  if (outcome.kind === "created") return [outcome.link, ...links];
  if (outcome.kind === "saved") return links.map((link) => (link.id === outcome.link.id ? outcome.link : link));
  return outcome.kind === "revoked" ? links.filter(({ id }) => id !== idOf(request)) : links;
}

/** An address to copy by hand; null if there is none. */
function uncopiedAfter(request: SharingRequest, outcome: SharingOutcome): SharingContext["uncopied"] {
  if (!("uncopied" in outcome) || outcome.uncopied === null) return null;
  const id = outcome.kind === "created" ? outcome.link.id : idOf(request);
  return id === null ? null : { id, address: outcome.uncopied };
}

/** The event for the page. A switch needs none, because it shows its own change. */
function emittedAfter(request: SharingRequest, outcome: SharingOutcome): SharingEmitted | null {
  if ("uncopied" in outcome) return outcome.uncopied === null ? { type: "link.copied" } : null;
  if (outcome.kind === "revoked") return { type: "link.revoked" };
  return request.kind === "details" ? { type: "details.saved" } : null;
}

const loading = createLoading<KnownLinks, SharingContext, SharingEvent>();

/**
 * The links to a transcript, for its owner. One step creates and copies a link, switches and a form change it, and it
 * is revoked after a confirmation.
 */
export const sharingMachine = setup({
  types: {
    input: {} as SharingInput,
    context: {} as SharingContext,
    events: {} as SharingEvent,
    emitted: {} as SharingEmitted,
    tags: {} as LoadingTag,
  },
  actors: {
    ...loading.actors,
    /**
     * Rejects with the codes `notFound` (revoked elsewhere), `gone` (can't be copied), `tooManyAtOnce` and
     * `passwordCommon`, among others.
     */
    perform: fromPromise<SharingOutcome, SharingRequest>(async () => notProvided("perform")),
  },
  actions: {
    ...loading.actions,
    changeDraft: assign({ draft: ({ context }, { change }: { change: Switches }) => ({ ...context.draft, ...change }) }),
    request: assign(({ context }, request: SharingRequest) => ({
      requests: [...context.requests, request],
      asked: null,
      uncopied: null,
      failure: null,
    })),
    requestRemoval: assign(({ context }) => ({
      requests: [...context.requests, { kind: "revoke" as const, id: present(context.asked, "the link to be revoked") }],
      asked: null,
      uncopied: null,
      failure: null,
    })),
    /** Drops the failed request, and its passphrase with it. */
    dropRequest: assign(({ context }) => ({
      failed: idOf(context.requests[0]),
      requests: context.requests.slice(1),
    })),
    assignFlaw: assign(({ context }, { id, change }: Details) => ({ failure: flawOf(change, context.now()), failed: id })),
    ask: assign((_, { id }: { id: string }) => ({ asked: id })),
    dropAsked: assign({ asked: null }),
  },
  guards: {
    ...loading.guards,
    hasRequests: ({ context }) => context.requests.length > 0,
    /** Prevents a second link after a second click. */
    isNotCreating: ({ context }) => context.requests.every(({ kind }) => kind !== "create"),
    isFlawed: ({ context }, { change }: Details) => flawOf(change, context.now()) !== null,
    isAsked: ({ context }) => context.asked !== null,
  },
})
  .extend({
    actions: {
      applyOutcome: enqueueActions(({ context, enqueue }, output: SharingOutcome) => {
        const [request, ...rest] = context.requests;
        if (request === undefined) return;
        const emitted = emittedAfter(request, output);
        const saved = emitted?.type === "details.saved" ? idOf(request) : null;
        enqueue.assign({
          requests: rest,
          known: { items: linksAfter(context.known?.items ?? [], request, output) },
          uncopied: uncopiedAfter(request, output),
          draft: output.kind === "created" ? {} : context.draft,
          saves: saved === null ? context.saves : { ...context.saves, [saved]: (context.saves[saved] ?? 0) + 1 },
        });
        if (emitted !== null) enqueue.emit(emitted);
      }),
    },
  })
  .createMachine({
    id: "sharing",
    context: ({ input }) => ({
      ...input,
      known: null,
      draft: {},
      requests: [],
      asked: null,
      uncopied: null,
      saves: {},
      failure: null,
      failed: null,
    }),
    initial: "loading",
    states: {
      ...loading.states,
      /**
       * Performs the requests in order, one call at a time: a switch that is toggled during another call is not lost.
       */
      open: {
        on: {
          "draft.changed": { actions: withEvent("changeDraft") },
          "creation.submitted": {
            guard: "isNotCreating",
            actions: { type: "request", params: ({ event }) => ({ kind: "create", draft: event.draft }) },
          },
          "copy.requested": { actions: { type: "request", params: ({ event }) => ({ kind: "copy", id: event.id }) } },
          "switch.toggled": {
            actions: { type: "request", params: ({ event: { id, change } }) => ({ kind: "switch", id, change }) },
          },
          "details.submitted": [
            { guard: withEvent("isFlawed"), actions: withEvent("assignFlaw") },
            { actions: { type: "request", params: ({ event: { id, change } }) => ({ kind: "details", id, change }) } },
          ],
          "removal.requested": { actions: withEvent("ask") },
          "removal.confirmed": { guard: "isAsked", actions: "requestRemoval" },
          "removal.dismissed": { actions: "dropAsked" },
        },
        initial: "idle",
        states: {
          idle: {
            ...loading.idle,
            always: { guard: "hasRequests", target: "working" },
          },
          working: {
            invoke: {
              src: "perform",
              input: ({ context }) => present(context.requests[0] ?? null, "what is requested"),
              onDone: { target: "idle", actions: withOutput("applyOutcome") },
              // The link may have been revoked elsewhere, or created without an answer, so the shown links may be
              // outdated.
              onError: { target: "idle.refreshing", actions: ["dropRequest", withEvent("assignFailure")] },
            },
          },
        },
      },
    },
  });

type Snapshot = SnapshotFrom<typeof sharingMachine>;

/** The chosen content of a new link. */
export const selectDraft = (snapshot: Snapshot): Switches => snapshot.context.draft;
/** Whether a link shows this, including changes that are not saved yet. */
export const selectIsOn = ({ context }: Snapshot, link: SharedLink, what: Switch): boolean =>
  context.requests.reduce(
    (isOn, request) => (request.kind === "switch" && request.id === link.id ? (request.change[what] ?? isOn) : isOn),
    link[what],
  );
/**
 * Whether such a request runs or waits.
 * @param id of the link; null for a new one
 */
export const selectIsDoing = ({ context }: Snapshot, kind: SharingRequest["kind"], id: string | null): boolean =>
  context.requests.some((request) => request.kind === kind && idOf(request) === id);
/** The link's address if the browser refused to copy it; otherwise null. */
export const selectUncopied = ({ context: { uncopied } }: Snapshot, id: string): string | null =>
  uncopied?.id === id ? uncopied.address : null;
/** The number of times a link's form was saved. */
export const selectSaves = ({ context }: Snapshot, id: string): number => context.saves[id] ?? 0;
/** Whether a revocation waits for a confirmation. */
export const selectIsAsking = (snapshot: Snapshot): boolean => snapshot.context.asked !== null;
/** Why the last request for this link failed: an error code of the contract, or a `SharingFlaw`; null if it did not. */
export const selectFailureOf = (snapshot: Snapshot, id: string): string | null =>
  snapshot.context.failed === id ? selectFailure(snapshot) : null;
