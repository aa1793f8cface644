import { waitFor } from "xstate";
import { selectIsMissing, selectLoadError, selectTranscription } from "#machines/transcription/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";

const isOnPage = () => pageRouter().latestLocation.pathname === "/speech-to-text";

/**
 * Replaces the page by the transcript, without a loading screen, and keeps the visible words in place. Does nothing if
 * the user has left the page.
 * @returns whether the transcript is shown
 */
export async function showTranscript(id: string, signal: AbortSignal): Promise<boolean> {
  if (!isOnPage()) return false;
  const router = pageRouter();
  const to = { to: "/transcription/$id", params: { id } } as const;
  const [{ openTranscription }] = await Promise.all([import("#src/features/transcription/actor.ts"), router.preloadRoute(to)]);
  const { actor, place } = openTranscription(id);
  const isReady = (snapshot: Parameters<typeof selectTranscription>[0]) =>
    selectTranscription(snapshot) !== null || selectIsMissing(snapshot) || selectLoadError(snapshot) !== null;
  const snapshot = await waitFor(actor, isReady, { signal, timeout: Number.POSITIVE_INFINITY });
  if (!isOnPage()) return false;
  const read = lineInSight();
  if (read !== undefined) {
    const segments = selectTranscription(snapshot)?.segments ?? [];
    place.arrival = segments.findIndex(({ end }) => end > read.start);
    // Runs before the new page is painted.
    const leave = router.subscribe("onRendered", () => {
      leave();
      moveTo(read);
    });
  }
  await router.navigate(to);
  return true;
}

/** A line of the live captions, identified by its time in the recording (seconds). */
interface ReadLine {
  start: number;
  /** Pixels from the top of the window. */
  top: number;
}

/** The top of the element's first letters, whatever its own box is (px from the top of the window). */
function topOf(element: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getClientRects()[0]?.top ?? 0;
}

/** The last line of the captions whose beginning is visible. */
function lineInSight(): ReadLine | undefined {
  const lines = document.querySelectorAll<HTMLElement>("[data-spoken]");
  const box = lines[0]?.closest("section")?.getBoundingClientRect();
  if (box === undefined) return undefined;
  return [...lines]
    .map((line) => ({ start: Number(line.dataset.spoken), top: topOf(line) }))
    .findLast(({ top }) => top >= box.top && top < Math.min(box.bottom, innerHeight));
}

/**
 * Scrolls the transcript so that the line's words are as high on the screen as before. Adds room at its beginning and
 * end if that is needed.
 */
function moveTo({ start, top }: ReadLine): void {
  const words = [...document.querySelectorAll<HTMLElement>("main [data-start]")];
  const word = words.find((each) => Number(each.dataset.start) >= start);
  const page = word?.closest<HTMLElement>("main > *");
  if (!word || !page) return;
  const by = topOf(word) - top;
  const scrollable = document.documentElement.scrollHeight - innerHeight - scrollY;
  page.style.setProperty("--before-words", `${Math.max(0, -by - scrollY)}px`);
  page.style.setProperty("--after-words", `${Math.max(0, by - scrollable)}px`);
  scrollBy({ top: by, behavior: "instant" });
}
