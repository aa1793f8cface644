// A visitor's page arrives as HTML (src/rendering.tsx), and is then hydrated by the page's script (src/main.tsx). What both have to know
// alike comes from here: in the browser from the document, in the renderer from what the page's server gives to it.
//
// The script in index.html runs before anything is painted. It applies the theme that this browser has stored, says whether somebody is
// signed in (src/ui/server-rendered.css), and holds the HTML back (data-held) where it is not for this person: it is another page's or in another
// language (a static host sends one for all), it is the sign-in and somebody is signed in, or a try without an account was left here. Then
// nothing of it is seen, and src/main.tsx renders the page anew. What is pressed before the page has been hydrated is pressed again after
// that: no press is lost, and no form sent without the page's script. The page's policy allows that script by its hash
// (server/page/headers.ts).

/** What the page's server knows, by the name of its `<meta name="parlance-…">`. */
export type Fact = "api" | "analytics" | "geolocation" | "hears" | "translates" | "tries";

/** What the renderer is given instead of a document and a browser. */
export interface RenderingContext {
  /** Absent: the server has not said it. */
  facts: Readonly<Partial<Record<Fact, string>>>;
  /** The page's address, "https://example.org/blog". */
  address: string;
  /** The visitor's languages, the preferred one first (BCP 47). */
  languages: readonly string[];
}

let given: RenderingContext | undefined;

/** Is something rendered to HTML here, or is that HTML still being hydrated? */
let isFirst = false;

/** For the renderer: what it renders next. */
export function beginRendering(context: RenderingContext): void {
  given = context;
  isFirst = true;
  hydrates = false;
}

/** Does a component of what is rendered hydrate the HTML? Without one, no press would ever be answered. */
let hydrates = false;

/** For that component, while it is rendered. */
export function promiseHydration(): void {
  hydrates = true;
}

/** For the renderer, once it has rendered. */
export const isHydrationPromised = (): boolean => hydrates;

/** In the browser, before the rendered HTML is hydrated. */
export function beginHydration(): void {
  isFirst = true;
}

const hydration = Promise.withResolvers<void>();

/** Resolves when the HTML has been hydrated, or was not, before any press is repeated. */
export const hydrated: Promise<void> = hydration.promise;

/** The HTML has been hydrated, or was not: what comes next is rendered here alone. */
export function endHydration(): void {
  isFirst = false;
  hydration.resolve();
  // Heard once, by the script in index.html: when React has done what it does now, so that it takes what is pressed then as if by a person.
  queueMicrotask(() => {
    document.documentElement.removeAttribute("data-page");
    document.dispatchEvent(new Event("parlance-hydrated"));
  });
}

/** Nothing but what the server knows may be shown: not what this browser has stored, nor what it can do. */
export const isServerRendered = (): boolean => isFirst;

/** @returns undefined where no server has said it (a static host) */
export function pageFact(name: Fact): string | undefined {
  if (given !== undefined) return given.facts[name];
  return document.querySelector<HTMLMetaElement>(`meta[name="parlance-${name}"]`)?.content;
}

/** The address of the page, with its query. */
export const pageAddress = (): string => given?.address ?? location.href;

/** The person's languages, the preferred one first. */
export const preferredLanguages = (): readonly string[] => given?.languages ?? navigator.languages;
