import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { CreatedWebhook, NewWebhook, Webhook, WebhookDelivery } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { WebhooksEmitted, WebhooksEvent } from "./events.ts";

export interface WebhooksContext {
  /** As the server has them, the oldest first; null before they are loaded. */
  webhooks: readonly Webhook[] | null;
  /** What is being made. */
  wanted: NewWebhook | null;
  /** The new one with its secret, until the person has kept it. */
  created: CreatedWebhook | null;
  /** The id of the one that is to be removed or changed, or whose log is seen. */
  chosen: string | null;
  /** What it is to be from now on. */
  paused: boolean;
  /** Its messages, the newest first; null before they are loaded. */
  deliveries: readonly WebhookDelivery[] | null;
  /** The id of the message that is sent again. */
  replayed: string | null;
  /** How often the list came back without what had the focus: one was removed, or a log closed. */
  returns: number;
  /** Why the last change failed: an error code of the contract, `noUrl` or `noEvent`; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

/** How often the log is looked at while something waits in it (milliseconds). */
const pollMs = 2_000;

/** A person's webhooks: listed, made with the secret shown once, paused, removed after a question; the log of one, from which messages are sent again. */
export const webhooksMachine = setup({
  types: {
    context: {} as WebhooksContext,
    events: {} as WebhooksEvent,
    emitted: {} as WebhooksEmitted,
    /** `unavailable`: the server does not know webhooks. `log`: one's log is seen. */
    tags: {} as "unavailable" | "log",
  },
  actors: {
    load: fromPromise<readonly Webhook[]>(async () => notProvided("load")),
    /** Rejects with the codes `urlRefused`, `urlUnreachable`, `urlTimeout` and `tooManyAtOnce`, among others. */
    create: fromPromise<CreatedWebhook, NewWebhook>(async () => notProvided("create")),
    /** Rejects with the code `notFound` for one that was removed elsewhere, as do all below. */
    change: fromPromise<Webhook, { id: string; paused: boolean }>(async () => notProvided("change")),
    remove: fromPromise<void, { id: string }>(async () => notProvided("remove")),
    loadLog: fromPromise<readonly WebhookDelivery[], { id: string }>(async () => notProvided("loadLog")),
    /** Rejects with the code `conflict` while the webhook is paused. */
    test: fromPromise<WebhookDelivery, { id: string }>(async () => notProvided("test")),
    replay: fromPromise<WebhookDelivery, { id: string; delivery: string }>(async () => notProvided("replay")),
    wakeUps: fromCallback<WebhooksEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: { output: readonly Webhook[] }) => ({ webhooks: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepWanted: assign((_, { wanted }: { wanted: NewWebhook }) => ({ wanted, failure: null })),
    dropWanted: assign({ wanted: null }),
    keepCreated: assign(({ context }, { output }: { output: CreatedWebhook }) => {
      const { secret: _, ...shown } = output;
      return { created: output, webhooks: [...(context.webhooks ?? []), shown] };
    }),
    dropCreated: assign({ created: null }),
    choose: assign((_, { id }: { id: string }) => ({ chosen: id, failure: null })),
    dropChosen: assign({ chosen: null, deliveries: null, replayed: null }),
    wantPaused: assign({ paused: true }),
    wantGoingOn: assign({ paused: false }),
    keepChanged: assign(({ context }, { output }: { output: Webhook }) => ({
      webhooks: (context.webhooks ?? []).map((webhook) => (webhook.id === output.id ? output : webhook)),
    })),
    removeChosen: assign({ webhooks: ({ context }) => (context.webhooks ?? []).filter(({ id }) => id !== context.chosen) }),
    countReturn: assign({ returns: ({ context }) => context.returns + 1 }),
    keepLog: assign((_, { output }: { output: readonly WebhookDelivery[] }) => ({ deliveries: output, loadError: null })),
    /** A new message, or what became of one. */
    keepDelivery: assign(({ context }, { output }: { output: WebhookDelivery }) => {
      const known = context.deliveries ?? [];
      const isKnown = known.some(({ id }) => id === output.id);
      return { deliveries: isKnown ? known.map((one) => (one.id === output.id ? output : one)) : [output, ...known] };
    }),
    keepReplayed: assign((_, { id }: { id: string }) => ({ replayed: id, failure: null })),
    dropReplayed: assign({ replayed: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseWithoutUrl: assign({ failure: "noUrl" }),
    refuseWithoutEvent: assign({ failure: "noEvent" }),
    clearFailure: assign({ failure: null }),
    emitRemoved: emit({ type: "webhook.removed" }),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
    hasNoUrl: (_, { wanted }: { wanted: NewWebhook }) => wanted.url.trim() === "",
    hasNoEvent: (_, { wanted }: { wanted: NewWebhook }) => wanted.events.length === 0,
    isListed: ({ context }, { id }: { id: string }) => (context.webhooks ?? []).some((webhook) => webhook.id === id),
    hasWaiting: ({ context }) => (context.deliveries ?? []).some(({ state }) => state === "waiting"),
  },
  delays: { pollInterval: pollMs },
}).createMachine({
  id: "webhooks",
  context: {
    ...{ webhooks: null, wanted: null, created: null, chosen: null, paused: false, deliveries: null, replayed: null },
    ...{ returns: 0, failure: null, loadError: null },
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
    unavailable: { tags: "unavailable" },
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "new.requested": { target: "writing", actions: "clearFailure" },
            "removal.requested": { target: "asking", actions: { type: "choose", params: ({ event }) => event } },
            "pause.requested": {
              target: "changing",
              actions: [{ type: "choose", params: ({ event }) => event }, "wantPaused"],
            },
            "resume.requested": {
              target: "changing",
              actions: [{ type: "choose", params: ({ event }) => event }, "wantGoingOn"],
            },
            "log.requested": {
              guard: { type: "isListed", params: ({ event }) => event },
              target: "log",
              actions: { type: "choose", params: ({ event }) => event },
            },
          },
          states: {
            // Another tab may have changed them meanwhile, or one was paused.
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
              { guard: { type: "hasNoUrl", params: ({ event }) => event }, actions: "refuseWithoutUrl" },
              { guard: { type: "hasNoEvent", params: ({ event }) => event }, actions: "refuseWithoutEvent" },
              { target: "creating", actions: { type: "keepWanted", params: ({ event }) => event } },
            ],
            "new.dismissed": { target: "idle", actions: "clearFailure" },
          },
        },
        creating: {
          invoke: {
            src: "create",
            input: ({ context }) => present(context.wanted, "the wanted webhook"),
            onDone: { target: "created", actions: [{ type: "keepCreated", params: ({ event }) => event }, "dropWanted"] },
            onError: { target: "writing", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropWanted"] },
          },
        },
        /** Its secret is shown, this once. */
        created: { on: { "secret.dismissed": { target: "idle", actions: "dropCreated" } } },
        asking: {
          on: { "removal.confirmed": "removing", "removal.dismissed": { target: "idle", actions: "dropChosen" } },
        },
        removing: {
          invoke: {
            src: "remove",
            input: ({ context }) => ({ id: present(context.chosen, "the webhook's id") }),
            onDone: { target: "idle", actions: ["removeChosen", "dropChosen", "countReturn", "emitRemoved"] },
            onError: [
              {
                // Removed elsewhere: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChosen"],
              },
              { target: "idle", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChosen"] },
            ],
          },
        },
        changing: {
          invoke: {
            src: "change",
            input: ({ context }) => ({ id: present(context.chosen, "the webhook's id"), paused: context.paused }),
            onDone: { target: "idle", actions: [{ type: "keepChanged", params: ({ event }) => event }, "dropChosen"] },
            onError: {
              target: "idle.refreshing",
              actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChosen"],
            },
          },
        },
        log: {
          tags: "log",
          initial: "loading",
          on: { "log.dismissed": { target: "idle.refreshing", actions: ["dropChosen", "clearFailure", "countReturn"] } },
          states: {
            loading: {
              invoke: {
                src: "loadLog",
                input: ({ context }) => ({ id: present(context.chosen, "the webhook's id") }),
                onDone: { target: "listed", actions: { type: "keepLog", params: ({ event }) => event } },
                onError: { target: "failed", actions: { type: "keepLoadError", params: ({ event }) => event } },
              },
            },
            failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
            listed: {
              initial: "resting",
              on: {
                "test.requested": { target: "testing", actions: "clearFailure" },
                "replay.requested": { target: "replaying", actions: { type: "keepReplayed", params: ({ event }) => event } },
              },
              states: {
                resting: {
                  invoke: { src: "wakeUps" },
                  on: { "page.resumed": "refreshing" },
                  after: { pollInterval: { guard: "hasWaiting", target: "refreshing" } },
                },
                refreshing: {
                  invoke: {
                    src: "loadLog",
                    input: ({ context }) => ({ id: present(context.chosen, "the webhook's id") }),
                    onDone: { target: "resting", actions: { type: "keepLog", params: ({ event }) => event } },
                    onError: "resting",
                  },
                },
              },
            },
            testing: {
              invoke: {
                src: "test",
                input: ({ context }) => ({ id: present(context.chosen, "the webhook's id") }),
                onDone: { target: "listed", actions: { type: "keepDelivery", params: ({ event }) => event } },
                onError: { target: "listed", actions: { type: "keepFailure", params: ({ event }) => event } },
              },
            },
            replaying: {
              invoke: {
                src: "replay",
                input: ({ context }) => ({
                  id: present(context.chosen, "the webhook's id"),
                  delivery: present(context.replayed, "the message's id"),
                }),
                onDone: {
                  target: "listed",
                  actions: [{ type: "keepDelivery", params: ({ event }) => event }, "dropReplayed"],
                },
                onError: {
                  target: "listed",
                  actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropReplayed"],
                },
              },
            },
          },
        },
      },
    },
  },
});
