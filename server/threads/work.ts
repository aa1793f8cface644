import { feedHtmlWork } from "#server/page/feed-html-work.ts";
import { transcriptWork } from "#server/transcription/work.ts";

/** Everything that is done in threads. */
export const work = { ...transcriptWork, ...feedHtmlWork };
export type ThreadWork = typeof work;
