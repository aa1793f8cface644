import { fallbackLanguage } from "#contract/interface-languages.ts";
import { isOfPage, isText, offlinePage, pageTexts, shellCache, shellCaches, textCache } from "./files.ts";
import { parseCommand } from "./messages.ts";
import type { FetchEvent, ServiceWorkerScope } from "./scope.ts";
import { keepPostedFiles, shareTargetPath } from "./share-target.ts";

// Opens the page without a network. It keeps files of the page that are the same for everybody, and nothing else: what the API answers, what is
// sent to it, streams, parts of files and sockets go past it. A page comes from the server as long as that answers, so that whoever has
// a network has the newest one.

declare const self: ServiceWorkerScope;
/** What this version keeps (scripts/build.mjs): paths of files, and a hash of what is in them. */
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

/** All or nothing: a version that is not whole is not installed. The HTTP cache would give what an earlier version was. */
async function keepShell(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((path) => (path.startsWith("/assets/") ? path : new Request(path, { cache: "reload" }))));
}

/** A tab may still run the version before this one, and ask for parts of it. */
async function begin(): Promise<void> {
  const before = (await shellCaches()).filter((name) => name !== cacheName);
  for (const name of before.slice(0, -1)) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** What can't be had now is there the next time the page says which language it speaks. */
async function keepTexts(language: string): Promise<void> {
  const cache = await caches.open(textCache);
  // i18next waits for the fallback's texts, too.
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

/** The page is told that it comes from here (src/browser/network.ts). */
async function withoutNetwork(kept: Response): Promise<Response> {
  const html = (await kept.text()).replace("<html ", "<html data-offline ");
  const headers = new Headers(kept.headers);
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response(html, { headers });
}

/** Their names say what is in them. */
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
