import { selectTranscription } from "#machines/transcription/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { titleNow } from "#src/features/transcriptions/shown-title.ts";
import { i18n } from "#src/i18n/index.ts";
import { openTranscription } from "./actor.ts";

let stop: (() => void) | undefined;

/** The page of a transcription is really opened (no preload): the browser's title is the transcription's, as it is renamed, too. */
export function showTitle(id: string): void {
  stop?.();
  const { actor } = openTranscription(id);
  const name = () => {
    const transcription = selectTranscription(actor.getSnapshot());
    if (transcription) document.title = `${titleNow(transcription)} · Parlance`;
  };
  const following = actor.subscribe(name);
  // The router titles every page by its route: this must run after that.
  const rendered = pageRouter().subscribe("onRendered", name);
  i18n.on("languageChanged", name);
  stop = () => {
    following.unsubscribe();
    rendered();
    i18n.off("languageChanged", name);
  };
  name();
}

/** The page is left. */
export function hideTitle(): void {
  stop?.();
  stop = undefined;
}
