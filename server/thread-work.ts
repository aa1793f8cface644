import { dictationWork } from "./dictation/work.ts";
import { feedHtmlWork } from "./page/feed-html-work.ts";
import { transcriptWork } from "./transcription/work.ts";
import { turnWork } from "./translator/work.ts";

/** Everything that is done in threads. */
export const threadWork = { ...transcriptWork, ...dictationWork, ...turnWork, ...feedHtmlWork };

/** What each of those threads runs. */
export const threadProgram = new URL("./thread-program.ts", import.meta.url);
