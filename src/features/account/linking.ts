import type { PendingLinkAnswer } from "#contract/index.ts";
import type { Values } from "#machines/submission.ts";
import type { AuthApi, SignedIn } from "#src/api/session.ts";
import { type AccountForm, checkPassword, createForm, loginFailed, orSecondStep } from "./forms.ts";
import { type Query, startQuery } from "./query.ts";

/** The page that asks for an account's password to link it to a provider's account. */
export interface Linking {
  /** The two accounts to link. */
  pending: Query<PendingLinkAnswer>;
  form: AccountForm;
  stop(): void;
}

export interface LinkingEnvironment {
  pending: AuthApi["pendingLink"];
  link: AuthApi["link"];
  begin(answer: SignedIn): void;
  /** Navigates to the page that asks for the second-factor code. */
  askForCode(): void;
  /** Shows a success message. */
  welcome(): void;
}

export function createLinking({ pending: fetchPending, link, begin, welcome, askForCode }: LinkingEnvironment): Linking {
  const pending = startQuery((signal) => fetchPending(signal));
  const submit = ({ password = "" }: Values, signal: AbortSignal) =>
    orSecondStep(askForCode, async () => {
      begin(await link(password, signal));
      welcome();
    });
  const form = createForm({ password: "" }, checkPassword, submit, loginFailed);
  return {
    pending,
    form,
    stop: () => {
      pending.stop();
      form.stop();
    },
  };
}
