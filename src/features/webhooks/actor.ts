import { type ActorRefFrom, createActor, fromPromise } from "xstate";
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
    load: fromPromise(async ({ signal }) => ({ items: await api.list(signal) })),
    create: fromPromise(async ({ input, signal }) => {
      const { secret, ...item } = await api.create(input.draft, signal);
      return { item, secret };
    }),
    copy,
    change: fromPromise(({ input, signal }) => api.change(input.id, input.change, signal)),
    remove: fromPromise(({ input, signal }) => api.remove(input.id, signal)),
    loadLog: fromPromise(({ input, signal }) => api.log(input.id, signal)),
    test: fromPromise(({ input, signal }) => api.test(input.id, signal)),
    replay: fromPromise(({ input, signal }) => api.replay(input.id, input.delivery, signal)),
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

/** Opens the signed-in user's webhooks. Returns the same actor until the user leaves the page. */
export const enterWebhooks = (): Webhooks => opened.open(create);

/** Called when the user leaves the page. */
export const leaveWebhooks = opened.close;
