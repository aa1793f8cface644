import type { PendingLinkAnswer } from "#contract/index.ts";
import type { AuthApi, SignedIn } from "#src/api/auth.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { button, type Part } from "#src/features/account/part.ts";
import { type AccountForm, checkFields, createForm } from "./forms.ts";

/** The page that asks for an account's password to link it to a provider's account. */
export interface Linking extends ReadableStore<PendingLinkAnswer | null> {
  /** Loads which two accounts are to be linked. */
  load: Part;
  form: AccountForm;
  stop(): void;
}

export interface LinkingWorld {
  pending: AuthApi["pendingLink"];
  link: AuthApi["link"];
  begin(answer: SignedIn): void;
  /** Shows a success message. */
  welcome(): void;
}

const failed = { key: "toast.loginFailed", keyWithStatus: "account.loginFailedStatus" };

export function createLinking({ pending, link, begin, welcome }: LinkingWorld): Linking {
  const known = createStore<PendingLinkAnswer | null>(null);
  const load = button(async (signal) => {
    known.set(await pending(signal));
    return { kind: "done" };
  });
  const check = ({ password = "" }) => checkFields({ password: password === "" ? "account.passwordRequired" : undefined });
  const form = createForm({ password: "" }, check, failed, async ({ password = "" }, signal) => {
    begin(await link(password, signal));
    welcome();
    return { kind: "done" };
  });
  load.get().form.send({ type: "submit.requested", values: {} });
  return {
    get: known.get,
    subscribe: known.subscribe,
    load,
    form,
    stop: () => {
      load.stop();
      form.stop();
    },
  };
}
