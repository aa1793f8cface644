import type { PendingLinkAnswer } from "#contract/index.ts";
import type { AuthApi, SignedIn } from "#src/api/auth.ts";
import { type AccountForm, checkFields, createForm } from "./forms.ts";
import { type Query, startQuery } from "./query.ts";

/** The page that asks for an account's password to link it to a provider's account. */
export interface Linking {
  /** Which two accounts are to be linked. */
  pending: Query<PendingLinkAnswer>;
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

export function createLinking({ pending: fetchPending, link, begin, welcome }: LinkingWorld): Linking {
  const pending = startQuery((signal) => fetchPending(signal));
  const check = ({ password = "" }) => checkFields({ password: password === "" ? "account.passwordRequired" : undefined });
  const form = createForm({ password: "" }, check, failed, async ({ password = "" }, signal) => {
    begin(await link(password, signal));
    welcome();
    return { kind: "done" };
  });
  return {
    pending,
    form,
    stop: () => {
      pending.stop();
      form.stop();
    },
  };
}
