import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { Webhook, WebhookDelivery } from "#contract/index.ts";
import type { Changing, Created, Drafted, Listed } from "#machines/collection/events.ts";
import type { WebhookTypes } from "#machines/webhooks/events.ts";
import { webhooksMachine } from "#machines/webhooks/machine.ts";
import { createWebhooksApi } from "#src/api/webhooks.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { copy } from "#src/features/collection/actor.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createWebhooksApi(call);

const machine = webhooksMachine.provide({
  actors: {
    load: fromPromise<Listed<Webhook>>(async ({ signal }) => ({ items: await api.list(signal) })),
    create: fromPromise<Created<WebhookTypes>, Drafted<WebhookTypes>>(async ({ input, signal }) => {
      const { secret, ...item } = await api.create(input.draft, signal);
      return { item, secret };
    }),
    copy,
    change: fromPromise<Webhook, Changing<WebhookTypes>>(({ input, signal }) => api.change(input.id, input.change, signal)),
    remove: fromPromise<void, { id: string }>(({ input, signal }) => api.remove(input.id, signal)),
    loadLog: fromPromise<readonly WebhookDelivery[], { id: string }>(({ input, signal }) => api.log(input.id, signal)),
    test: fromPromise<WebhookDelivery, { id: string }>(({ input, signal }) => api.test(input.id, signal)),
    replay: fromPromise<WebhookDelivery, { id: string; delivery: string }>(({ input, signal }) =>
      api.replay(input.id, input.delivery, signal),
    ),
    wakeUps: createWakeUps(),
  },
});
export type Webhooks = ActorRefFrom<typeof machine>;

function create(): Webhooks {
  const actor = createActor(machine, inspected());
  actor.on("item.removed", () => toast({ kind: "success", key: "webhooks:removed" }));
  return actor.start();
}

const opened = perOwner<Webhooks>({ end: (actor) => actor.stop() });

/** The signed-in person's webhooks: the same until the page is left. */
export const enterWebhooks = (): Webhooks => opened.open(create);

/** The page is left. */
export const leaveWebhooks = opened.close;
