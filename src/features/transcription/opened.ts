import type { Transcription } from "#contract/index.ts";
import { selectIsMissing, selectLoadError, selectTranscription } from "#machines/transcription/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { dropPersisted, persistTranscription } from "#src/features/transcriptions/persisted.ts";
import { titleNow } from "#src/features/transcriptions/shown-title.ts";
import { i18n } from "#src/i18n/index.ts";
import { openTranscription } from "./actor.ts";

let stop: (() => void) | undefined;

/**
 * Called on a real navigation to a transcription's page, not on a preload. Keeps the browser's title in step with the
 * transcription's. Persists what the user has seen for reading without a network, unless the server denies access.
 */
export function enterOpened(id: string): void {
  stop?.();
  const { actor } = openTranscription(id);
  let kept: Transcription | null = null;
  const name = () => {
    const transcription = selectTranscription(actor.getSnapshot());
    if (transcription) document.title = `${titleNow(transcription)} · Parlance`;
  };
  const keep = () => {
    const snapshot = actor.getSnapshot();
    const shown = selectTranscription(snapshot);
    if (selectIsMissing(snapshot) || selectLoadError(snapshot) === "forbidden") void dropPersisted([id]);
    else if (shown !== null && shown !== kept) void persistTranscription(shown);
    kept = shown;
  };
  const follow = () => {
    name();
    keep();
  };
  const following = actor.subscribe(follow);
  // The router sets every page's title from its route, so this must run afterwards.
  const rendered = pageRouter().subscribe("onRendered", name);
  i18n.on("languageChanged", name);
  stop = () => {
    following.unsubscribe();
    rendered();
    i18n.off("languageChanged", name);
  };
  follow();
}

/** Called when the user leaves the page. */
export function leaveOpened(): void {
  stop?.();
  stop = undefined;
}
