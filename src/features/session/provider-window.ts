import { safeParse } from "valibot";
import { FederatedMessage } from "#contract/index.ts";
import { featuresFor, type ProviderPage } from "./create-federated.ts";

export interface ProviderWindow {
  page: ProviderPage;
  /** GET /auth/google of the API, an absolute address. */
  start: string;
}

/**
 * Sends somebody who is signed in to the provider, in a window of its own. Where the browser opens none, this window goes there: the
 * promise is settled with the page's end, then.
 * @returns what the window has said; undefined when it was closed without a word
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
        // Any page may send messages here: only the API's are heard.
        if (event.origin === origin && message.success) settle(() => resolve(message.output));
      },
      options,
    );
    // When this page is visible again, the person has left the provider's window or closed it.
    page.addEventListener("focus", () => opened?.closed === true && settle(() => resolve(undefined)), options);
    signal.addEventListener("abort", () => settle(() => reject(signal.reason)), options);
  });
}
