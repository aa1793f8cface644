import { fallbackLanguage } from "#contract/interface-languages.ts";
import { isOfPage, isText, offlinePage, pageTexts, shellCache, shellCaches, textCache } from "./files.ts";
import { parseCommand } from "./messages.ts";
import type { FetchEvent, ServiceWorkerScope } from "./scope.ts";
import { keepPostedFiles, shareTargetPath } from "./share-target.ts";

// Opens the page without a network. Caches only files that are the same for everybody. Requests to the API, streams,
// partial files and sockets bypass it. Pages come from the server while it answers, so that users with a network get
// the newest version.

declare const self: ServiceWorkerScope;
/** The files of this version (scripts/build.mjs): their paths, and a hash of their content. */
declare const __SHELL__: { version: string; files: string[] };

const { version, files } = __SHELL__;
const cacheName = shellCache(version);

self.addEventListener("install", (event) => event.waitUntil(keepShell()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("message", (event) => {
  const command = parseCommand(event.data);
  if (command?.type === "activate") event.waitUntil(self.skipWaiting());
  if (command?.type === "speak") event.waitUntil(keepTexts(command.language));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin === self.location.origin && request.method === "POST" && pathname === shareTargetPath) {
    event.respondWith(keepPostedFiles(request));
    return;
  }
  if (origin !== self.location.origin || request.method !== "GET" || request.headers.has("range")) return;
  if (request.mode === "navigate") {
    if (isOfPage(pathname)) event.respondWith(openPage(event));
  } else if (pathname.startsWith("/assets/")) event.respondWith(findAsset(request));
  else if (isText(pathname) || files.includes(pathname)) event.respondWith(askFirst(request));
});

/**
 * Caches all files or none: an incomplete version is not installed. Bypasses the HTTP cache, which may hold files of an
 * earlier version.
 */
async function keepShell(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((path) => (path.startsWith("/assets/") ? path : new Request(path, { cache: "reload" }))));
}

/** Keeps the previous version, because a tab may still run it and request parts of it. */
async function begin(): Promise<void> {
  const before = (await shellCaches()).filter((name) => name !== cacheName);
  for (const name of before.slice(0, -1)) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** Caches a language's texts. Texts that fail are fetched when a page next reports its language. */
async function keepTexts(language: string): Promise<void> {
  const cache = await caches.open(textCache);
  // i18next also waits for the texts of the fallback language.
  const paths = new Set([...pageTexts(language), ...pageTexts(fallbackLanguage)]);
  await Promise.allSettled([...paths].map((path) => cache.add(new Request(path, { cache: "no-cache" }))));
}

async function openPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const kept = await caches.match(offlinePage, { cacheName, ignoreVary: true });
    if (kept === undefined) throw error;
    return withoutNetwork(kept);
  }
}

/** Marks the page as coming from the cache (src/browser/network.ts). */
async function withoutNetwork(kept: Response): Promise<Response> {
  const html = (await kept.text()).replace("<html ", "<html data-offline ");
  const headers = new Headers(kept.headers);
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response(html, { headers });
}

/** Assets are cached forever, because their names contain a hash of their content. */
async function findAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function askFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true, ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}
