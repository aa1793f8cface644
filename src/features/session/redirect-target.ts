import { checkoutPath, wantedInterval } from "#machines/subscription/rules.ts";
import { type PageStorage, storage, storageKeys } from "#src/browser/storage.ts";
import { callbackPath } from "./oauth-callback.ts";

/** SPEC.md section 9. */
export const defaultTarget = "/dashboard";

/** Paths of the signed-out pages, without a trailing slash. */
const signInRoutes = new Set(["", "/signin", "/signup", "/second-step", callbackPath]);

/** The path to return to after signing in. */
export interface RedirectTarget {
  /**
   * Remembers a path. A page that never needs a way back, such as the sign-up page, does not replace a remembered one.
   * @param path with its query and hash
   */
  remember(path: string): void;
  /**
   * Remembers the plan for which the sign-up page was opened: its checkout follows the sign-up. Without a plan, forgets
   * a previously chosen one.
   * @param search the address's parameters, which anybody can have written
   */
  rememberPlan(search: object): void;
  /** Returns and removes the remembered path, or the default one. */
  take(): string;
  clear(): void;
}

/** @param origin the page's own origin ("https://example.org") */
export function createRedirectTarget(store: PageStorage, origin: string): RedirectTarget {
  return {
    remember: (path) => {
      const isWanted = (target: string | null) => safePath(target, origin) !== undefined;
      if (isWanted(path) || !isWanted(store.read(storageKeys.redirectTo))) store.write(storageKeys.redirectTo, path);
    },
    rememberPlan: (search) => {
      const interval = wantedInterval(search);
      if (interval !== undefined) store.write(storageKeys.redirectTo, checkoutPath(interval));
      else if (isCheckout(store.read(storageKeys.redirectTo), origin)) store.remove(storageKeys.redirectTo);
    },
    take: () => {
      const target = store.read(storageKeys.redirectTo);
      store.remove(storageKeys.redirectTo);
      return safePath(target, origin) ?? defaultTarget;
    },
    clear: () => store.remove(storageKeys.redirectTo),
  };
}

/**
 * Validates a remembered target against open redirects. Both the target and the resulting path must have our own
 * origin: "/x/..//evil.com" is ours at first, but results in "//evil.com".
 * @returns path, query and hash; undefined for other origins and for account forms. A form opened for a plan leads to
 *   the plan's checkout
 */
export function safePath(target: string | null, origin: string): string | undefined {
  if (target === null || !URL.canParse(target, origin)) return undefined;
  const url = new URL(target, origin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== origin || !target.startsWith("/") || /^[/\\]{2}/.test(path)) return undefined;
  if (!signInRoutes.has(url.pathname.replace(/\/+$/, ""))) return path;
  // A sign-in at a provider starts on the sign-up page, so that page's path is the remembered one (SPEC.md section 4).
  const interval = wantedInterval(Object.fromEntries(url.searchParams));
  return interval && checkoutPath(interval);
}

function isCheckout(target: string | null, origin: string): boolean {
  return (["year", "month"] as const).some((interval) => safePath(target, origin) === checkoutPath(interval));
}

export const redirectTarget: RedirectTarget = createRedirectTarget(storage, globalThis.location?.origin ?? "");
