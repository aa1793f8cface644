import type { Transcription } from "#contract/index.ts";
import { selectIsMissing, selectLoadError, selectTranscription } from "#machines/transcription/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { dropPersisted, persistTranscription } from "#src/features/transcriptions/persisted.ts";
import { titleNow } from "#src/features/transcriptions/shown-title.ts";
import { i18n } from "#src/i18n/index.ts";
import { openTranscription } from "./actor.ts";

let stop: (() => void) | undefined;

/**
 * The page of a transcription is really opened (no preload). The browser's title is the transcription's, as it is
 * renamed, too; and as it is last seen, it can be read without a network from now on, unless the server does not let
 * the person have it.
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
  // The router titles every page by its route: this must run after that.
  const rendered = pageRouter().subscribe("onRendered", name);
  i18n.on("languageChanged", name);
  stop = () => {
    following.unsubscribe();
    rendered();
    i18n.off("languageChanged", name);
  };
  follow();
}

/** The page is left. */
export function leaveOpened(): void {
  stop?.();
  stop = undefined;
}
