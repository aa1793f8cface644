import type { PageRouter } from "#src/browser/page-router.ts";

let loading: { address: string; done: Promise<void> } | undefined;

/**
 * Loads the operator's script once. The Trusted Types policy of this name (server/page/headers.ts) allows only this
 * URL.
 * @throws Error when it does not load: blocked, unavailable, or not a script
 */
export function loadTag(address: string): Promise<void> {
  if (loading?.address === address) return loading.done;
  const policy = window.trustedTypes?.createPolicy("analytics", {
    createScriptURL: (wanted) => {
      if (wanted !== address) throw new TypeError("This is not the address that the operator has named.");
      return address;
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const script = document.createElement("script");
  script.async = true;
  script.addEventListener("load", () => resolve());
  script.addEventListener("error", () => reject(new Error("The script did not come.")));
  // The policy returns no string, although the type of `src` says so.
  Object.assign(script, { src: policy?.createScriptURL(address) ?? address });
  document.head.append(script);
  loading = { address, done: promise };
  return promise;
}

/** Whether an address contains a secret: a token (as in links of emails), or a link to a transcript. */
export function opensSomething({ search, hash }: Pick<Location, "search" | "hash">): boolean {
  return /[?&#]token=/.test(search + hash) || /^#[\da-f]{16}\./.test(hash);
}

/** Waits until the address contains no secret, because third-party scripts could read it. */
export function addressWithoutToken(router: PageRouter, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!opensSomething(location)) resolve();
  const stop = router.subscribe("onResolved", () => {
    if (!opensSomething(location)) resolve();
  });
  signal.addEventListener("abort", stop);
  return promise.finally(stop);
}
