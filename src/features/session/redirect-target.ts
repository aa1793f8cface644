import { checkoutPath, wantedInterval } from "#machines/subscription/rules.ts";
import { type PageStorage, storage, storageKeys } from "#src/browser/storage.ts";
import { callbackPath } from "./oauth-callback.ts";

/** SPEC.md section 9. */
export const defaultTarget = "/dashboard";

/** Paths of signed-out pages, without a trailing slash. */
const signInRoutes = new Set(["", "/signin", "/signup", "/second-step", callbackPath]);

/** The path to return to after signing in. */
export interface RedirectTarget {
  /** A page without a way back to it, such as the sign-up, does not replace one that was wanted. @param path with its query and hash */
  remember(path: string): void;
  /**
   * What the sign-up page was opened for: a plan is bought after it, and one that was chosen before is not, when it is opened without.
   * @param search the parameters of its address; anybody can have written them
   */
  rememberPlan(search: object): void;
  /** Returns and removes the remembered path, or the default one. */
  take(): string;
  clear(): void;
}

/** @param origin the page's own ("https://example.org") */
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
 * Validates a remembered target against open redirects. Checked twice: both the target and the path that results from it
 * must have our own origin ("/x/..//evil.com" is ours at first, "//evil.com" then).
 * @returns path, query and hash; undefined for other origins, and for the account forms, unless these were opened for a plan: its checkout
 */
export function safePath(target: string | null, origin: string): string | undefined {
  if (target === null || !URL.canParse(target, origin)) return undefined;
  const url = new URL(target, origin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== origin || !target.startsWith("/") || /^[/\\]{2}/.test(path)) return undefined;
  if (!signInRoutes.has(url.pathname.replace(/\/+$/, ""))) return path;
  // Signing in elsewhere begins on the sign-up page, whose path is what is remembered then (SPEC.md section 4).
  const interval = wantedInterval(Object.fromEntries(url.searchParams));
  return interval && checkoutPath(interval);
}

function isCheckout(target: string | null, origin: string): boolean {
  return (["year", "month"] as const).some((interval) => safePath(target, origin) === checkoutPath(interval));
}

export const redirectTarget: RedirectTarget = createRedirectTarget(storage, globalThis.location?.origin ?? "");
