import { claimArrival } from "./arrival.ts";
import { createFederatedReturn, type FederatedReturn } from "./create-federated-return.ts";
import { beginSession, entrance } from "./session.ts";
import { toast } from "./toasts.ts";

let open: FederatedReturn | undefined;

/** What the page of the return shows: the same one until it is left. */
export function openReturn(): FederatedReturn {
  open ??= createFederatedReturn(claimArrival(), {
    loadProfile: entrance.profileOf,
    askByCookie: entrance.askByCookie,
    begin: beginSession,
    welcome: () => toast({ kind: "success", key: "toast.signedIn" }),
  });
  return open;
}

/** A call that is under way is called off. */
export function closeReturn(): void {
  open?.stop();
  open = undefined;
}
