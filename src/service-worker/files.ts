const shellPrefix = "parlance-shell-";

/** The name of the cache of one version of the page. */
export const shellCache = (version: string): string => shellPrefix + version;
/** The texts of the current language, from the last time that there was a network. */
export const textCache = "parlance-texts";

/** The caches of all stored versions, the oldest first. */
export async function shellCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(shellPrefix));
}

/** The page that replaces all others without a network (server/page/site.ts; on a static host, a file). */
export const offlinePage = "/offline.html";

/** Paths of the API, for a proxy that puts page and API at one origin. A file saved from there is no page. */
const ofApi = /^\/(api|users|audio|openapi|healthz|readyz|metrics)(\/|$)/;
export const isOfPage = (path: string): boolean => !ofApi.test(path);

export const isText = (path: string): boolean => /^\/locales\/[\w-]+\/[\w-]+\.json$/.test(path);

/** The texts of the pages that open without a network, and of the palette. */
const namespaces = [
  ...["translation", "app", "dictation", "uploads", "offline", "translator", "vault", "sharing", "subscription"],
  ...["landing", "search", "settings", "shortcuts", "device-models"],
];
export const pageTexts = (language: string): string[] => namespaces.map((name) => `/locales/${language}/${name}.json`);
