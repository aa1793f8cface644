import type { Transcription } from "#contract/index.ts";
import { selectIsMissing, selectLoadError, selectTranscription } from "#machines/transcription/selectors.ts";
import { dropKept, keepTranscription } from "#src/features/transcriptions/kept.ts";
import { openTranscription } from "./actor.ts";

/**
 * The page of a transcription is really opened (no preload): as it is last seen, it can be read without a network from now on, unless the
 * server does not let the person have it.
 */
export function keepOpened(id: string): void {
  const { actor } = openTranscription(id);
  let kept: Transcription | null = null;
  const keep = () => {
    const snapshot = actor.getSnapshot();
    const shown = selectTranscription(snapshot);
    if (selectIsMissing(snapshot) || selectLoadError(snapshot) === "forbidden") void dropKept([id]);
    else if (shown !== null && shown !== kept) void keepTranscription(shown);
    kept = shown;
  };
  keep();
  actor.subscribe(keep);
}
