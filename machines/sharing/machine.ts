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
  /** Epoch milliseconds. */
  now: () => number;
}

/** Newest first. */
type KnownLinks = Listed<SharedLink>;

interface SharingContext extends SharingInput, LoadingContext<KnownLinks> {
  /** What the person has chosen for a link that there is not yet. */
  draft: Switches;
  /** What is being done, and what waits for it. */
  requests: readonly SharingRequest[];
  /** The id of the link that is to be revoked, until the person says yes or no. */
  asked: string | null;
  /** An address that the browser did not let be copied, and the id of its link. */
  uncopied: { id: string; address: string } | null;
  /** How often the form of each link was saved, by its id. */
  saves: Readonly<Record<string, number>>;
  /** The id of the link with which the last request failed; null for a new one. */
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

/** An address that is to be copied by hand; null when there is none. */
function uncopiedAfter(request: SharingRequest, outcome: SharingOutcome): SharingContext["uncopied"] {
  if (!("uncopied" in outcome) || outcome.uncopied === null) return null;
  const id = outcome.kind === "created" ? outcome.link.id : idOf(request);
  return id === null ? null : { id, address: outcome.uncopied };
}

/** What the page hears of it. A switch shows by itself that it has moved. */
function emittedAfter(request: SharingRequest, outcome: SharingOutcome): SharingEmitted | null {
  if ("uncopied" in outcome) return outcome.uncopied === null ? { type: "link.copied" } : null;
  if (outcome.kind === "revoked") return { type: "link.revoked" };
  return request.kind === "details" ? { type: "details.saved" } : null;
}

const loading = createLoading<KnownLinks, SharingContext, SharingEvent>();

/**
 * The links to a transcript, for its owner: made and copied in one step, changed by switches and a form, revoked
 * after a question.
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
    /** The passphrase in what failed goes with it. */
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
    /** A second click makes no second link. */
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
       * What is requested is done in order, one call at a time: a switch that is toggled during another call is not
       * lost.
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
              // It may have been revoked elsewhere, or made although no answer came: what is shown is old.
              onError: { target: "idle.refreshing", actions: ["dropRequest", withEvent("assignFailure")] },
            },
          },
        },
      },
    },
  });

type Snapshot = SnapshotFrom<typeof sharingMachine>;

/** What the person has chosen for a link that there is not yet. */
export const selectDraft = (snapshot: Snapshot): Switches => snapshot.context.draft;
/** Whether a link shows something, as the person has it last. */
export const selectIsOn = ({ context }: Snapshot, link: SharedLink, what: Switch): boolean =>
  context.requests.reduce(
    (isOn, request) => (request.kind === "switch" && request.id === link.id ? (request.change[what] ?? isOn) : isOn),
    link[what],
  );
/** Whether this is under way, or waits. @param id of the link; null for a new one */
export const selectIsDoing = ({ context }: Snapshot, kind: SharingRequest["kind"], id: string | null): boolean =>
  context.requests.some((request) => request.kind === kind && idOf(request) === id);
/** The address of a link that the browser did not let be copied; null for none. */
export const selectUncopied = ({ context: { uncopied } }: Snapshot, id: string): string | null =>
  uncopied?.id === id ? uncopied.address : null;
/** How often the form of a link was saved. */
export const selectSaves = ({ context }: Snapshot, id: string): number => context.saves[id] ?? 0;
/** Whether a revocation waits for a yes. */
export const selectIsAsking = (snapshot: Snapshot): boolean => snapshot.context.asked !== null;
/** Why the last request for this link failed: an error code of the contract, or a `SharingFlaw`; null unless it did. */
export const selectFailureOf = (snapshot: Snapshot, id: string): string | null =>
  snapshot.context.failed === id ? selectFailure(snapshot) : null;
