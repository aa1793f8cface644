import { assign, fromPromise, setup } from "xstate";
import type { WebhookDelivery } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionTag } from "#machines/collection/events.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { WebhooksEvent, WebhookTypes } from "./events.ts";

interface WebhooksContext extends CollectionContext<WebhookTypes> {
  /** The messages to the chosen webhook, newest first; null before they are loaded. */
  deliveries: readonly WebhookDelivery[] | null;
  /** The id of the message that is being resent. */
  replayed: string | null;
}

/** How often the log is polled while a message in it is pending (ms). */
const pollMs = 2_000;

const collection = createCollection<WebhookTypes, WebhooksContext, WebhooksEvent>({
  flawOf: ({ url, events }) => (url.trim() === "" ? "noUrl" : events.length === 0 ? "noEvent" : null),
});

/**
 * A person's webhooks: listed, created with a secret that is shown once, paused, and removed after a confirmation. Each
 * has a log whose messages can be resent.
 */
export const webhooksMachine = setup({
  /** `log`: a log is open. */
  types: { ...collection.types, tags: {} as CollectionTag | "log" },
  actors: {
    ...collection.actors,
    /** Rejects with the code `notFound` for a webhook that was removed elsewhere, like the actors below. */
    loadLog: fromPromise<readonly WebhookDelivery[], { id: string }>(async () => notProvided("loadLog")),
    /** Rejects with the code `conflict` while the webhook is paused. */
    test: fromPromise<WebhookDelivery, { id: string }>(async () => notProvided("test")),
    replay: fromPromise<WebhookDelivery, { id: string; delivery: string }>(async () => notProvided("replay")),
  },
  actions: {
    ...collection.actions,
    assignLog: assign((_, deliveries: readonly WebhookDelivery[]) => ({ deliveries })),
    dropLog: assign({ chosen: null, deliveries: null, replayed: null }),
    /** Adds a new message, or the outcome of one. */
    assignDelivery: assign(({ context }, output: WebhookDelivery) => {
      const known = context.deliveries ?? [];
      const isKnown = known.some(({ id }) => id === output.id);
      return { deliveries: isKnown ? known.map((one) => (one.id === output.id ? output : one)) : [output, ...known] };
    }),
    assignReplayed: assign((_, { id }: { id: string }) => ({ replayed: id, failure: null })),
    dropReplayed: assign({ replayed: null }),
  },
  guards: {
    ...collection.guards,
    isListed: ({ context }, { id }: { id: string }) => context.known?.items.some((webhook) => webhook.id === id) === true,
    hasWaiting: ({ context }) => (context.deliveries ?? []).some(({ state }) => state === "waiting"),
  },
  delays: { pollInterval: pollMs },
}).createMachine({
  id: "webhooks",
  context: { ...emptyCollection, deliveries: null, replayed: null },
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...collection.idle,
          on: {
            "creation.requested": collection.toWriting,
            "change.requested": collection.toChanging,
            "removal.requested": collection.toAsking,
            "log.requested": { guard: withEvent("isListed"), target: "log", actions: withEvent("choose") },
          },
        },
        ...collection.creationWithSecret,
        ...collection.change,
        ...collection.removal,
        log: {
          tags: "log",
          initial: "loading",
          on: { "log.dismissed": { target: "idle.refreshing", actions: ["dropLog", "clearFailure", "countReturn"] } },
          states: {
            loading: {
              invoke: {
                src: "loadLog",
                input: ({ context }) => ({ id: present(context.chosen, "the webhook's id") }),
                onDone: { target: "listed", actions: withOutput("assignLog") },
                onError: "failed",
              },
            },
            failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
            listed: {
              initial: "resting",
              on: {
                "test.requested": { target: "testing", actions: "clearFailure" },
                "replay.requested": { target: "replaying", actions: withEvent("assignReplayed") },
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
                    onDone: { target: "resting", actions: withOutput("assignLog") },
                    onError: "resting",
                  },
                },
              },
            },
            testing: {
              invoke: {
                src: "test",
                input: ({ context }) => ({ id: present(context.chosen, "the webhook's id") }),
                onDone: { target: "listed", actions: withOutput("assignDelivery") },
                onError: { target: "listed", actions: withEvent("assignFailure") },
              },
            },
            replaying: {
              invoke: {
                src: "replay",
                input: ({ context }) => ({
                  id: present(context.chosen, "the webhook's id"),
                  delivery: present(context.replayed, "the message's id"),
                }),
                onDone: { target: "listed", actions: [withOutput("assignDelivery"), "dropReplayed"] },
                onError: { target: "listed", actions: [withEvent("assignFailure"), "dropReplayed"] },
              },
            },
          },
        },
      },
    },
  },
});
