import { safeParse } from "valibot";
import { FederatedMessage } from "#contract/index.ts";
import { featuresFor, type ProviderPage } from "./create-federated.ts";

export interface ProviderWindow {
  page: ProviderPage;
  /** The absolute URL of the API's GET /auth/google. */
  start: string;
}

/**
 * Sends a signed-in user to the provider in a popup. If popups are blocked, this window navigates there, and the
 * promise stays pending.
 * @returns the popup's message; undefined when it was closed without one
 */
export function askProvider(
  { page, start }: ProviderWindow,
  purpose: "link" | "confirm",
  signal: AbortSignal,
): Promise<FederatedMessage | undefined> {
  const { origin } = new URL(start);
  const opened = page.open(`${start}?popup=1&purpose=${purpose}`, "parlance-sign-in", featuresFor(page));
  if (opened === null) page.location.assign(`${start}?purpose=${purpose}`);
  opened?.focus();
  return new Promise((resolve, reject) => {
    const end = new AbortController();
    const settle = (work: () => void) => {
      end.abort();
      work();
    };
    const options = { signal: end.signal };
    page.addEventListener(
      "message",
      (event: MessageEvent) => {
        const message = safeParse(FederatedMessage, event.data);
        // Accepts only the API's origin, because any page can send messages.
        if (event.origin === origin && message.success) settle(() => resolve(message.output));
      },
      options,
    );
    // When this page gets the focus again, the user has switched away from the popup or closed it.
    page.addEventListener("focus", () => opened?.closed === true && settle(() => resolve(undefined)), options);
    signal.addEventListener("abort", () => settle(() => reject(signal.reason)), options);
  });
}
