import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { secondFactorMachine } from "#machines/second-factor/machine.ts";
import { createSecondFactorApi } from "#src/api/second-factor.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { copy } from "#src/features/collection/actor.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createSecondFactorApi(call);

const machine = secondFactorMachine.provide({
  actors: {
    load: fromPromise(({ signal }) => api.load(signal)),
    offer: fromPromise(({ input, signal }) => api.offer(input.password, signal)),
    confirm: fromPromise(({ input, signal }) => api.confirm(input.proof, signal)),
    change: fromPromise(async ({ input, signal }) => {
      const json = { password: input.password, code: input.proof };
      if (input.wish === "newCodes") return api.renewCodes(json, signal);
      await api.turnOff(json, signal);
      return [];
    }),
    copy,
    wakeUps: createWakeUps(),
  },
});
export type SecondFactorActor = ActorRefFrom<typeof machine>;

const opened = perOwner<SecondFactorActor>({ end: (actor) => actor.stop() });

/**
 * Opens the signed-in user's second factor. Returns the same actor until the user leaves the page.
 * @param onChanged called when all other sign-ins of the account have ended
 */
export function enterSecondFactor(onChanged: () => void): SecondFactorActor {
  return opened.open(() => {
    const actor = createActor(machine, { ...inspected(), input: { now: Date.now } });
    actor.on("secondFactor.changed", ({ isOn }) => {
      onChanged();
      if (!isOn) toast({ kind: "success", key: "second-factor:turnedOff" });
    });
    return actor.start();
  });
}

/** Called when the user leaves the page. */
export const leaveSecondFactor = opened.close;
