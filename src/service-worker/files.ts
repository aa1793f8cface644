const shellPrefix = "parlance-shell-";

/** The cache of one version of the page. */
export const shellCache = (version: string): string => shellPrefix + version;
/** Texts of the language that is spoken, of the last time that there was a network. */
export const textCache = "parlance-texts";

/** Those of all versions that are kept, the oldest first. */
export async function shellCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(shellPrefix));
}

/** The page that stands for all others without a network (server/page/site.ts; on a static host, a file). */
export const offlinePage = "/offline.html";

/** Of the API, where a proxy puts both at one address: what is saved from there is no page. */
const ofApi = /^\/(api|users|audio|openapi|healthz|readyz|metrics)(\/|$)/;
export const isOfPage = (path: string): boolean => !ofApi.test(path);

export const isText = (path: string): boolean => /^\/locales\/[\w-]+\/[\w-]+\.json$/.test(path);

/** What the pages say that open without a network, and the palette over them. */
const namespaces = [
  ...["translation", "app", "dictation", "uploads", "offline", "translator", "vault", "sharing", "subscription"],
  ...["landing", "search", "settings", "shortcuts", "device-models"],
];
export const pageTexts = (language: string): string[] => namespaces.map((name) => `/locales/${language}/${name}.json`);
