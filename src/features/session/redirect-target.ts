import { type PageStorage, storage, storageKeys } from "#src/browser/storage.ts";
import { callbackPath } from "./oauth-callback.ts";

/** SPEC.md section 9. */
export const defaultTarget = "/dashboard";

/** Paths of signed-out pages, without a trailing slash. */
const signInRoutes = new Set(["", "/signin", "/signup", callbackPath]);

/** The path to return to after signing in. */
export interface RedirectTarget {
  /** @param path with its query and hash */
  remember(path: string): void;
  /** Returns and removes the remembered path, or the default one. */
  take(): string;
  clear(): void;
}

/** @param origin the page's own ("https://example.org") */
export function createRedirectTarget(store: PageStorage, origin: string): RedirectTarget {
  return {
    remember: (path) => {
      store.write(storageKeys.redirectTo, path);
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
 * @returns path, query and hash; undefined for other origins, and for the account forms
 */
export function safePath(target: string | null, origin: string): string | undefined {
  if (target === null || !URL.canParse(target, origin)) return undefined;
  const url = new URL(target, origin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== origin || !target.startsWith("/") || /^[/\\]{2}/.test(path)) return undefined;
  return signInRoutes.has(url.pathname.replace(/\/+$/, "")) ? undefined : path;
}

export const redirectTarget: RedirectTarget = createRedirectTarget(storage, globalThis.location?.origin ?? "");
