import { safeParse } from "valibot";
import { createActor, fromCallback, fromPromise } from "xstate";
import { FederatedMessage, type FederatedProvider } from "#contract/index.ts";
import { type FederatedEvent, federatedSignInMachine } from "#machines/session/federated-sign-in.ts";
import { inspected } from "#src/browser/inspection.ts";
import { decodeClaims } from "./jwt.ts";
import { callbackPath } from "./oauth-callback.ts";
import type { RedirectTarget } from "./redirect-target.ts";

/** The page that asks for the password of the account to link (oauth-callback.ts). */
export const linkingPlace = `${callbackPath}?error=linkRequired`;

/** The page that asks for the second-factor code. */
const secondStepPlace = "/second-step";

/** Size of the provider's popup, in CSS pixels. */
const size = { width: 480, height: 680 };

export type ProviderPage = Pick<Window, "addEventListener" | "screenX" | "screenY" | "outerWidth" | "outerHeight"> & {
  open(url: string, name: string, features: string): Pick<Window, "closed" | "focus"> | null;
  location: Pick<Location, "assign">;
};

/** The provider with the addresses of SPEC.md. */
export const specifiedProvider = "google";
/** The path where a sign-in at a provider starts, relative to the API. */
export const startOf = (provider: string): string =>
  provider === specifiedProvider ? "/auth/google" : `/auth/providers/${encodeURIComponent(provider)}`;

export interface FederatedEnvironment {
  page: ProviderPage;
  /** The absolute URL of the API where a sign-in at this provider starts. */
  start(provider: string): string;
  loadProviders(signal: AbortSignal): Promise<readonly FederatedProvider[]>;
  target: Pick<RedirectTarget, "remember">;
  begin(accessToken: string): void;
}

/** Creates the federated sign-in, not started yet. */
export function createFederated({ page, start, loadProviders, target, begin }: FederatedEnvironment) {
  const { origin } = new URL(start(specifiedProvider));
  return createActor(
    federatedSignInMachine.provide({
      actors: {
        loadProviders: fromPromise(({ signal }) => loadProviders(signal)),
        messages: fromCallback(({ sendBack }) => {
          const stop = new AbortController();
          const { signal } = stop;
          const hear = (event: MessageEvent) => {
            const message = messageIn(event, origin);
            if (message) sendBack(message);
          };
          page.addEventListener("message", hear, { signal });
          page.addEventListener("pageshow", ({ persisted }) => persisted && sendBack({ type: "page.returned" }), { signal });
          return () => stop.abort();
        }),
        window: fromCallback(({ sendBack, input }) => {
          const opened = page.open(`${start(input.provider)}?popup=1`, "parlance-sign-in", featuresFor(page));
          if (opened === null) {
            sendBack({ type: "window.refused" });
            return;
          }
          // The popup may already be open behind this window.
          opened.focus();
          const stop = new AbortController();
          // When this page gets the focus again, the user has switched away from the popup or closed it.
          page.addEventListener("focus", () => opened.closed && sendBack({ type: "window.closed" }), { signal: stop.signal });
          return () => stop.abort();
        }),
      },
      actions: {
        rememberPath: (_, { path }) => target.remember(path),
        begin: (_, { accessToken }) => begin(accessToken),
        leavePage: (_, { provider }) => page.location.assign(start(provider)),
        openLinking: () => page.location.assign(linkingPlace),
        openSecondStep: () => page.location.assign(secondStepPlace),
      },
    }),
    inspected(),
  );
}

/**
 * Reads a message from the popup. Accepts only the API's origin, because any page can send messages (SPEC.md section
 * 4).
 * @param api the API's origin
 */
export function messageIn({ origin, data }: Pick<MessageEvent, "origin" | "data">, api: string): FederatedEvent | undefined {
  return origin === api ? readMessage(data) : undefined;
}

/** @returns undefined for other messages */
function readMessage(data: unknown): FederatedEvent | undefined {
  const message = safeParse(FederatedMessage, data);
  // The settings page handles confirmations of a signed-in user.
  if (!message.success || message.output.type === "AUTH_CONFIRMED") return undefined;
  if (message.output.type === "AUTH_FAILURE") {
    const { code } = message.output;
    if (code === "linkRequired") return { type: "link.required" };
    return code === "secondFactorRequired" ? { type: "code.required" } : { type: "refusal.received", code };
  }
  try {
    decodeClaims(message.output.accessToken);
    return { type: "token.received", accessToken: message.output.accessToken };
  } catch {
    return { type: "refusal.received", code: "providerFailed" };
  }
}

/** Centers the popup over this page's window. */
export function featuresFor({ screenX, screenY, outerWidth, outerHeight }: ProviderPage): string {
  const left = Math.round(screenX + (outerWidth - size.width) / 2);
  const top = Math.round(screenY + Math.max(0, (outerHeight - size.height) / 2));
  return `popup,width=${size.width},height=${size.height},left=${left},top=${top}`;
}
