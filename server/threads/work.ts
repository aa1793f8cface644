import { feedHtmlWork } from "../page/feed-html-work.ts";
import { transcriptWork } from "../transcripts/work.ts";

/** Everything that is done in threads. */
export const work = { ...transcriptWork, ...feedHtmlWork };
export type ThreadWork = typeof work;
