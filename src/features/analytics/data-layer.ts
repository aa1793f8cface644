import type { EventParams } from "#machines/analytics/rules.ts";

export type DataLayer = ReturnType<typeof openDataLayer>;

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** The part of a window that is used here. */
export interface LayerPage {
  dataLayer?: unknown[];
  readonly location: Pick<Location, "origin">;
}

/** Prefixes of the cookies of gtag and Matomo. */
const tagCookies = /^_(ga|gid|gat|gcl|pk)/;

/**
 * The queue of tags like gtag.js. A tag reads the existing entries, and is notified of later ones.
 * @param tag the script's URL; gtag's contains the measurement id
 * @param path returns the pattern of the current route
 * @param page the window whose `dataLayer` is used
 */
export function openDataLayer(tag: string, path: () => string, page: LayerPage = window) {
  const id = new URL(tag).searchParams.get("id");
  page.dataLayer ??= [];
  const layer = page.dataLayer;
  // gtag.js recognizes its commands because they are `arguments` objects. It ignores arrays.
  function gtag(..._command: unknown[]): void {
    layer.push(arguments);
  }
  // Without these values, gtag.js would read the title and the address, which contains ids.
  const place = (shown: string) => ({
    page_location: page.location.origin + shown,
    page_path: shown,
    page_title: shown,
    page_referrer: "",
  });
  const allow = (isAllowed: boolean) => {
    if (id !== null) Object.assign(page, { [`ga-disable-${id}`]: !isAllowed });
  };
  let hasBegun = false;
  return {
    /** Sets the script's id and forbids it to read the address. Called before the script is loaded. */
    begin: () => {
      allow(true);
      const storage = { analytics_storage: "granted" };
      if (hasBegun) return gtag("consent", "update", storage);
      hasBegun = true;
      gtag("consent", "default", { ...storage, ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" });
      gtag("js", new Date());
      gtag("set", place(path()));
      if (id !== null) {
        const signals = { allow_google_signals: false, allow_ad_personalization_signals: false };
        gtag("config", id, { send_page_view: false, ...signals });
      }
    },
    send: (name: string, params: EventParams) => {
      const where = place(path());
      // From here on, events that the script sends by itself belong to this page.
      if (name === "page_view") gtag("set", where);
      gtag("event", name, { ...where, ...params });
    },
    /** Disables all measuring, even by a script that is already loaded. */
    end: () => {
      allow(false);
      gtag("consent", "update", { analytics_storage: "denied" });
    },
  };
}

/** Deletes the script's cookies. Cookies that the browser refuses to delete expire by themselves. */
export async function deleteTagCookies(page: Pick<Window, "location"> & { cookieStore?: CookieStore } = window): Promise<void> {
  const labels = page.location.hostname.split(".");
  const domains = labels.map((_, index) => labels.slice(index).join("."));
  for (const { name } of (await page.cookieStore?.getAll()) ?? []) {
    if (name === undefined || !tagCookies.test(name)) continue;
    const deletions = [{ name }, ...domains.map((domain) => ({ name, domain }))];
    await Promise.allSettled(deletions.map((one) => page.cookieStore?.delete(one)));
  }
}
