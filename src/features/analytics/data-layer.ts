import type { EventParams } from "#machines/analytics/rules.ts";

/** What every tag of the kind of gtag.js reads: it takes what stands there already, and hears of what is pushed later. */
export interface DataLayer {
  /** Before the script is loaded: who it is for, and that it may not read the address by itself. */
  begin(): void;
  send(name: string, params: EventParams): void;
  /** Nothing is measured any more, by a script that is loaded neither. */
  end(): void;
}

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** A window, as far as it is used here. */
export interface LayerPage {
  dataLayer?: unknown[];
  readonly location: Pick<Location, "origin">;
}

/** Of gtag's own cookies and Matomo's. */
const tagCookies = /^_(ga|gid|gat|gcl|pk)/;

/**
 * @param tag the script's address; gtag's has the id of what it measures for
 * @param path the pattern of the route that is shown
 * @param page whose `dataLayer` it is
 */
export function openDataLayer(tag: string, path: () => string, page: LayerPage = window): DataLayer {
  const id = new URL(tag).searchParams.get("id");
  page.dataLayer ??= [];
  const layer = page.dataLayer;
  // gtag.js tells its commands from other things in the layer by their being `arguments`: an array would be passed over.
  function gtag(..._command: unknown[]): void {
    layer.push(arguments);
  }
  // Otherwise it would read the address, with the ids in it, and the title.
  const place = (shown: string) => ({
    ...{ page_location: page.location.origin + shown, page_path: shown, page_title: shown, page_referrer: "" },
  });
  const allow = (isAllowed: boolean) => {
    if (id !== null) Object.assign(page, { [`ga-disable-${id}`]: !isAllowed });
  };
  let hasBegun = false;
  return {
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
    send: (name, params) => {
      const where = place(path());
      // What the script may send by itself is of this page from now on.
      if (name === "page_view") gtag("set", where);
      gtag("event", name, { ...where, ...params });
    },
    end: () => {
      allow(false);
      gtag("consent", "update", { analytics_storage: "denied" });
    },
  };
}

/** Deletes what a script has kept in cookies; where the browser does not let it, they end with their time. */
export async function deleteTagCookies(page: Pick<Window, "location"> & { cookieStore?: CookieStore } = window): Promise<void> {
  const labels = page.location.hostname.split(".");
  const domains = labels.map((_, index) => labels.slice(index).join("."));
  for (const { name } of (await page.cookieStore?.getAll()) ?? []) {
    if (name === undefined || !tagCookies.test(name)) continue;
    const deletions = [{ name }, ...domains.map((domain) => ({ name, domain }))];
    await Promise.allSettled(deletions.map((one) => page.cookieStore?.delete(one)));
  }
}
