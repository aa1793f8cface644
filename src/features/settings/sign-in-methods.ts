import type { FederatedMessage, SignInMethods } from "#contract/index.ts";
import type { SubmissionResult } from "#machines/submission.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { checkPassword, createForm, done } from "#src/features/account/forms.ts";
import { button, createPart, type Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";

/** A provider that is configured, or was when an account there was linked. */
export interface KnownProvider {
  /** null: not configured any more. */
  id: string | null;
  name: string;
  issuer: string;
  /** When its account was linked (ISO 8601); null: not linked. */
  linkedAt: string | null;
}

/** The actions for one provider. */
interface ProviderParts {
  /** Signs in again at the provider, for an account without a password. */
  confirm: Part;
  /** Opens the provider, which returns to the page that asks for the password. */
  link: Part;
  /** Unlinks, confirmed by `password`. */
  unlink: Part;
}

/** The sign-in methods apart from the password. */
export interface Methods {
  list: Query<SignInMethods>;
  /** Returns the same parts for the same provider each time. */
  of(provider: KnownProvider): ProviderParts;
  stop(): void;
}

export interface MethodsEnvironment {
  api: Pick<SettingsApi, "signInMethods" | "unlink">;
  ask(provider: string, purpose: "link" | "confirm", signal: AbortSignal): Promise<FederatedMessage | undefined>;
  /** Opens the page that asks for the password. */
  openLinking(): void;
  /** Called when all other sessions have ended. */
  aloneNow(): void;
}

/** The configured providers, then those that are linked but not configured any more. */
export function knownProviders({ provider, providers, linked }: SignInMethods): KnownProvider[] {
  // A server of an earlier release has at most one provider, and does not report its issuer.
  const former = provider === null ? [] : [{ id: "google", name: provider, issuer: linked[0]?.issuer ?? "" }];
  const configured = providers ?? former;
  const since = (issuer: string) => linked.find((one) => one.issuer === issuer)?.linkedAt ?? null;
  const others = linked.filter(({ issuer }) => !configured.some((one) => one.issuer === issuer));
  return [
    ...configured.map((one) => ({ ...one, linkedAt: since(one.issuer) })),
    ...others.map(({ issuer, linkedAt }) => ({ id: null, name: issuer, issuer, linkedAt })),
  ];
}

export function createMethods(environment: MethodsEnvironment): Methods {
  const { api } = environment;
  const list = startQuery((signal) => api.signInMethods(signal));
  const reload = async (signal: AbortSignal) => list.send({ type: "data.changed", data: await api.signInMethods(signal) });
  const made = new Map<string, ProviderParts>();
  return {
    list,
    of: (provider) => {
      const known = made.get(provider.issuer) ?? createParts(environment, provider, reload);
      made.set(provider.issuer, known);
      return known;
    },
    stop: () => {
      for (const { confirm, link, unlink } of made.values()) for (const part of [confirm, link, unlink]) part.stop();
    },
  };
}

function createParts(
  { api, ask, openLinking, aloneNow }: MethodsEnvironment,
  { id, name, issuer }: KnownProvider,
  reload: (signal: AbortSignal) => Promise<void>,
): ProviderParts {
  const values = { provider: name };
  const refused = (message: FederatedMessage | undefined): SubmissionResult => {
    const key = message?.type === "AUTH_FAILURE" ? `errors.${message.code}` : "settings:methods.closed";
    return { kind: "refused", message: { key, values } };
  };
  const confirm = button(async (signal) => {
    const message = await ask(id ?? "", "confirm", signal);
    if (message?.type !== "AUTH_CONFIRMED") return refused(message);
    await reload(signal);
    return { kind: "done" };
  });
  const link = button(async (signal) => {
    const message = await ask(id ?? "", "link", signal);
    if (message?.type !== "AUTH_FAILURE" || message.code !== "linkRequired") return refused(message);
    openLinking();
    return { kind: "done" };
  });
  const unlink = createPart(() =>
    createForm({ password: "" }, checkPassword, async ({ password = "" }, signal) => {
      await api.unlink({ password, ...(issuer !== "" && { issuer }) }, signal);
      aloneNow();
      await reload(signal);
      return done("settings:methods.unlinked", values);
    }),
  );
  return { confirm, link, unlink };
}
