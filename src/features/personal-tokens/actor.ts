import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { personalTokensMachine } from "#machines/personal-tokens/machine.ts";
import { createPersonalTokensApi } from "#src/api/personal-tokens.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { copy } from "#src/features/collection/actor.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createPersonalTokensApi(call);

const machine = personalTokensMachine.provide({
  actors: {
    load: fromPromise(async ({ signal }) => ({ items: await api.list(signal) })),
    create: fromPromise(async ({ input, signal }) => {
      const { token: secret, ...item } = await api.create(input.draft, signal);
      return { item, secret };
    }),
    copy,
    remove: fromPromise(({ input, signal }) => api.revoke(input.id, signal)),
    wakeUps: createWakeUps(),
  },
});
export type PersonalTokens = ActorRefFrom<typeof machine>;

function create(): PersonalTokens {
  const actor = createActor(machine, inspected());
  actor.on("item.removed", () => toast({ kind: "success", key: "personal-tokens:revoked" }));
  return actor.start();
}

const opened = perOwner<PersonalTokens>({ end: (actor) => actor.stop() });

/** Opens the signed-in user's personal access tokens. Returns the same actor until the user leaves the page. */
export const enterPersonalTokens = (): PersonalTokens => opened.open(create);

/** Called when the user leaves the page. */
export const leavePersonalTokens = opened.close;
