import { digestWork } from "#server/blog/digest-work.ts";
import { dictationWork } from "#server/dictation/work.ts";
import { exportTasks } from "#server/exports/thread-tasks.ts";
import { feedHtmlWork } from "#server/page/feed-html-work.ts";
import { renderingWork } from "#server/page/rendering-work.ts";
import { passkeyWork } from "#server/passkeys/thread-tasks.ts";
import { searchWork } from "#server/search/work.ts";
import { sharingWork } from "#server/sharing/work.ts";
import { transcriptWork } from "#server/transcription/work.ts";
import { turnWork } from "#server/translator/work.ts";
import { feedWork } from "#server/uploads/fetching/feed-work.ts";

/** All functions that run in threads. */
export const threadWork = {
  ...transcriptWork,
  ...exportTasks,
  ...dictationWork,
  ...turnWork,
  ...feedHtmlWork,
  ...feedWork,
  ...renderingWork,
  ...digestWork,
  ...searchWork,
  ...passkeyWork,
  ...sharingWork,
};

/** The program of each pool thread. */
export const threadProgram = new URL("./thread-program.ts", import.meta.url);
