import type { FederatedMessage, SignInMethods } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import type { SubmissionResult } from "#machines/submission.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { checkFields, createForm } from "#src/features/account/forms.ts";
import { button, createPart, type Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";

/** The sign-in methods besides the password. */
export interface Methods {
  list: Query<SignInMethods>;
  /** Re-authenticates at the provider, for an account without a password. */
  confirm: Part;
  /** Goes to the provider, and from there to the page that asks for the password. */
  link: Part;
  /** Unlinks, confirmed by `password`. */
  unlink: Part;
}

export interface MethodsWorld {
  api: Pick<SettingsApi, "signInMethods" | "unlink">;
  ask(purpose: "link" | "confirm", signal: AbortSignal): Promise<FederatedMessage | undefined>;
  /** Shows the page that asks for the password. */
  openLinking(): void;
  /** All other sessions have ended. */
  aloneNow(): void;
}

const failed = { key: "account.mailFailed", keyWithStatus: "account.mailFailed" };

export function createMethods({ api, ask, openLinking, aloneNow }: MethodsWorld): Methods {
  const list = startQuery((signal) => api.signInMethods(signal));
  const reload = async (signal: AbortSignal) => list.send({ type: "data.changed", data: await api.signInMethods(signal) });
  const provider = () => selectData(list.getSnapshot())?.provider ?? "Google";
  const refused = (message: FederatedMessage | undefined): SubmissionResult => {
    const key = message?.type === "AUTH_FAILURE" ? `errors.${message.code}` : "settings:methods.closed";
    return { kind: "refused", message: { key, values: { provider: provider() } } };
  };
  const confirm = button(async (signal) => {
    const message = await ask("confirm", signal);
    if (message?.type !== "AUTH_CONFIRMED") return refused(message);
    await reload(signal);
    return { kind: "done" };
  });
  const link = button(async (signal) => {
    const message = await ask("link", signal);
    if (message?.type !== "AUTH_FAILURE" || message.code !== "linkRequired") return refused(message);
    openLinking();
    return { kind: "done" };
  });
  const check = ({ password = "" }) => checkFields({ password: password === "" ? "account.passwordRequired" : undefined });
  const unlink = createPart(() =>
    createForm({ password: "" }, check, failed, async ({ password = "" }, signal) => {
      await api.unlink({ password }, signal);
      aloneNow();
      await reload(signal);
      return { kind: "done", message: { key: "settings:methods.unlinked", values: { provider: provider() } } };
    }),
  );
  return { list, confirm, link, unlink };
}
