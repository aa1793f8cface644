import { type PageStorage, storage, storageKeys } from "#src/browser/storage.ts";
import { callbackPath } from "./oauth-callback.ts";

/** SPEC.md section 9. */
export const defaultTarget = "/dashboard";

/** Where people are before they have signed in, without a slash at the end. */
const signInRoutes = new Set(["", "/signin", "/signup", callbackPath]);

/** Where a person wanted to go before signing in. */
export interface RedirectTarget {
  /** @param path with its query and hash */
  remember(path: string): void;
  /** The remembered path, which is forgotten by this, or the default one. */
  take(): string;
  forget(): void;
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
    forget: () => store.remove(storageKeys.redirectTo),
  };
}

/**
 * What of a remembered target may be followed. Checked twice: it has to lead to our own origin, and so has the path that comes out of
 * that ("/x/..//evil.com" is ours at first, "//evil.com" then).
 * @returns path, query and hash; undefined for what leads elsewhere, or back to the account forms
 */
export function safePath(target: string | null, origin: string): string | undefined {
  if (target === null || !URL.canParse(target, origin)) return undefined;
  const url = new URL(target, origin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== origin || !target.startsWith("/") || /^[/\\]{2}/.test(path)) return undefined;
  return signInRoutes.has(url.pathname.replace(/\/+$/, "")) ? undefined : path;
}

export const redirectTarget: RedirectTarget = createRedirectTarget(storage, globalThis.location?.origin ?? "");
