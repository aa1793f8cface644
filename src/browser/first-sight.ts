// A visitor's page arrives as HTML (src/rendering.tsx), and is then taken over by the page's script (src/main.tsx). What both have to know
// alike comes from here: in the browser from the document, in the renderer from what the page's server gives to it.
//
// The script in index.html runs before anything is painted. It applies the theme that this browser has stored, says whether somebody is
// signed in (src/ui/first-sight.css), and holds the HTML back (data-held) where it is not for this person: it is another page's or in another
// language (a static host sends one for all), it is the sign-in and somebody is signed in, or a try without an account was left here. Then
// nothing of it is seen, and src/main.tsx renders the page anew. What is pressed before the page has been taken over is pressed again after
// that: no press is lost, and no form sent without the page's script. The page's policy allows that script by its hash
// (server/page/headers.ts).

/** What the page's server knows, by the name of its `<meta name="parlance-…">`. */
export type Fact = "api" | "analytics" | "geolocation" | "hears" | "translates" | "tries";

/** What the renderer is given instead of a document and a browser. */
export interface RenderedSight {
  /** Absent: the server has not said it. */
  facts: Readonly<Partial<Record<Fact, string>>>;
  /** The page's address, "https://example.org/blog". */
  address: string;
  /** The visitor's languages, the preferred one first (BCP 47). */
  languages: readonly string[];
  /** The API's answers (JSON), by path and query. */
  answers: ReadonlyMap<string, unknown>;
}

/** The id of the element that has the API's answers: JSON, by path and query. */
export const answersId = "parlance-answers";

let given: RenderedSight | undefined;
let answers: Map<string, unknown> | undefined;
/** Paths that were asked for and not answered, in the renderer. */
const missing = new Set<string>();

/** Is something rendered to HTML here, or is that HTML still being taken over? */
let isFirst = false;

/** For the renderer: what it renders next. */
export function beginRendering(sight: RenderedSight): void {
  given = sight;
  answers = new Map(sight.answers);
  missing.clear();
  isFirst = true;
}

/** Without the answer to this path, nothing can be rendered. */
export function missAnswer(path: string): void {
  missing.add(path);
}

/** The API's paths that this rendering has to be given first. */
export const missingAnswers = (): string[] => [...missing];

/** In the browser, before the rendered HTML is taken over. */
export function beginHydration(): void {
  isFirst = true;
}

/** The HTML has been taken over, or was not: what comes next is rendered here alone. */
export function endHydration(): void {
  isFirst = false;
  answers = new Map();
  // Heard once, by the script in index.html: when React has done what it does now, so that it takes what is pressed then as if by a person.
  queueMicrotask(() => {
    document.documentElement.removeAttribute("data-page");
    document.dispatchEvent(new Event("parlance-hydrated"));
  });
}

/** Nothing but what the server knows may be shown: not what this browser has stored, nor what it can do. */
export const isFirstSight = (): boolean => isFirst;

/** @returns undefined where no server has said it (a static host) */
export function pageFact(name: Fact): string | undefined {
  if (given !== undefined) return given.facts[name];
  return document.querySelector<HTMLMetaElement>(`meta[name="parlance-${name}"]`)?.content;
}

/** The address of the page, with its query. */
export const pageAddress = (): string => given?.address ?? location.href;

/** The person's languages, the preferred one first. */
export const preferredLanguages = (): readonly string[] => given?.languages ?? navigator.languages;

/**
 * The answer to a GET that came along with the HTML; each once, so that whoever asks again asks the server.
 * @param path of the API, with its query
 */
export function takeAnswer(path: string): { json: unknown } | undefined {
  answers ??= answersInDocument();
  if (!answers.has(path)) return undefined;
  const json = answers.get(path);
  answers.delete(path);
  return { json };
}

function answersInDocument(): Map<string, unknown> {
  const text = document.getElementById(answersId)?.textContent;
  const parsed: unknown = text ? JSON.parse(text) : {};
  return new Map(typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : []);
}
