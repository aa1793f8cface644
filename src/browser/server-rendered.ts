// A visitor's page arrives as HTML (src/rendering.tsx), and the page's script hydrates it (src/main.tsx). Both need the
// same facts, which come from here: in the browser from the document, in the renderer from the page server.
//
// The script in index.html runs before the first paint. It applies the stored theme, notes whether somebody is signed
// in (src/ui/server-rendered.css), and hides the HTML (data-held) if it does not fit this visitor. That is the case
// when it is another page's or in another language (a static host sends one HTML for all), when it is the sign-in page
// and somebody is signed in, or when this browser has a try without an account. Then src/main.tsx renders the page from
// scratch. Presses before the hydration are repeated afterwards, so that no press is lost and no form is sent without
// the page's script. The page's policy allows the script by its hash (server/page/headers.ts).

/** Facts that the page server knows, by the name of their `<meta name="parlance-…">`. */
export type Fact = "api" | "analytics" | "geolocation" | "hears" | "translates" | "tries";

/** The renderer's input, in place of a document and a browser. */
export interface RenderingContext {
  /** Absent: the server has not set it. */
  facts: Readonly<Partial<Record<Fact, string>>>;
  /** The page's address, "https://example.org/blog". */
  address: string;
  /** The visitor's languages, the preferred one first (BCP 47). */
  languages: readonly string[];
}

let given: RenderingContext | undefined;

/** Whether HTML is being rendered here, or the page's HTML is still being hydrated. */
let isFirst = false;

/** Called by the renderer before each rendering. */
export function beginRendering(context: RenderingContext): void {
  given = context;
  isFirst = true;
  hydrates = false;
}

/** Whether a rendered component hydrates the HTML. Without one, no press would ever be handled. */
let hydrates = false;

/** Called by that component during rendering. */
export function promiseHydration(): void {
  hydrates = true;
}

/** Called by the renderer after rendering. */
export const isHydrationPromised = (): boolean => hydrates;

/** Called in the browser before hydration. */
export function beginHydration(): void {
  isFirst = true;
}

const hydration = Promise.withResolvers<void>();

/** Resolves after the hydration, or after it was skipped, and before presses are repeated. */
export const hydrated: Promise<void> = hydration.promise;

/** Called after the hydration, or after it was skipped. Later renders happen only here. */
export function endHydration(): void {
  isFirst = false;
  hydration.resolve();
  // The script in index.html listens to this event once. Deferred until React has finished its current work, so that
  // React handles the repeated presses like a user's.
  queueMicrotask(() => {
    document.documentElement.removeAttribute("data-page");
    document.dispatchEvent(new Event("parlance-hydrated"));
  });
}

/** Whether rendering may use only facts that the server knows: neither this browser's storage nor its abilities. */
export const isServerRendered = (): boolean => isFirst;

/** @returns undefined when no server has set it (a static host) */
export function pageFact(name: Fact): string | undefined {
  if (given !== undefined) return given.facts[name];
  return document.querySelector<HTMLMetaElement>(`meta[name="parlance-${name}"]`)?.content;
}

/** The page's address, with its query. */
export const pageAddress = (): string => given?.address ?? location.href;

/** The user's languages, the preferred one first. */
export const preferredLanguages = (): readonly string[] => given?.languages ?? navigator.languages;
