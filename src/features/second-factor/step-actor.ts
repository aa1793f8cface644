import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { secondStepMachine } from "#machines/second-factor/step.ts";
import { createCall } from "#src/api/http.ts";
import { createSecondStepApi } from "#src/api/second-factor.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { authApi, beginSession, openSession, plainSend } from "#src/features/session/actor.ts";

const api = createSecondStepApi(createCall(plainSend));

const machine = secondStepMachine.provide({
  actors: {
    load: fromPromise(({ signal }) => api.pending(signal)),
    check: fromPromise(({ input, signal }) => authApi.alone(() => api.check(input.proof, signal))),
  },
  actions: {
    begin: (_, { accessToken, user }) => {
      beginSession({ accessToken, user });
      toast({ kind: "success", key: "toast.signedIn" });
    },
  },
});
export type SecondStep = ActorRefFrom<typeof machine>;

let open: SecondStep | undefined;

/** Opens the page that asks for a code. Returns the same actor until the user leaves the page. */
export function enterSecondStep(): SecondStep {
  // The user may sign in in another tab meanwhile.
  openSession();
  open ??= createActor(machine, inspected()).start();
  return open;
}

/** Aborts a pending call. */
export function leaveSecondStep(): void {
  open?.stop();
  open = undefined;
}
