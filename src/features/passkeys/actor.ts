import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { passkeysMachine } from "#machines/passkeys/machine.ts";
import { createPasskeysApi } from "#src/api/passkeys.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createPasskeysApi(call);

const machine = passkeysMachine.provide({
  actors: {
    load: fromPromise(async ({ signal }) => ({ items: await api.list(signal) })),
    offer: fromPromise(({ input, signal }) => api.offer(input.password, signal)),
    make: fromPromise(async ({ input, signal }) => {
      const { makePasskey } = await import("./ceremony.ts");
      return makePasskey(input, signal);
    }),
    keep: fromPromise(async ({ input, signal }) => ({
      item: await api.keep(input, signal),
      secret: null,
    })),
    apply: fromPromise(({ input: { wish, id, name, password }, signal }) =>
      wish === "rename" ? api.rename(id, name, signal) : api.remove(id, password, signal),
    ),
    wakeUps: createWakeUps(),
  },
});
export type PasskeysActor = ActorRefFrom<typeof machine>;

const opened = perOwner<PasskeysActor>({ end: (actor) => actor.stop() });

const done = { "item.created": "added", "item.changed": "renamed", "item.removed": "removed" } as const;

/**
 * Opens the signed-in user's passkeys. Returns the same actor until the user leaves the page.
 * @param onChanged called when all other sign-ins of the account have ended
 */
export function enterPasskeys(onChanged: () => void): PasskeysActor {
  return opened.open(() => {
    const actor = createActor(machine, inspected());
    actor.on("*", ({ type }) => {
      if (type !== "item.changed") onChanged();
      toast({ kind: "success", key: `passkeys:done.${done[type]}` });
    });
    return actor.start();
  });
}

/** Called when the user leaves the page. */
export const leavePasskeys = opened.close;
