import { digestTasks } from "#server/blog/digest-tasks.ts";
import { dictationTasks } from "#server/dictation/thread-tasks.ts";
import { exportTasks } from "#server/exports/thread-tasks.ts";
import { feedHtmlTasks } from "#server/page/feed-html-tasks.ts";
import { renderingTasks } from "#server/page/rendering-tasks.ts";
import { passkeyTasks } from "#server/passkeys/thread-tasks.ts";
import { searchTasks } from "#server/search/thread-tasks.ts";
import { sharingTasks } from "#server/sharing/thread-tasks.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { turnTasks } from "#server/translator/thread-tasks.ts";
import { feedTasks } from "#server/uploads/fetching/feed-tasks.ts";

export const threadTasks = {
  ...transcriptTasks,
  ...exportTasks,
  ...dictationTasks,
  ...turnTasks,
  ...feedHtmlTasks,
  ...feedTasks,
  ...renderingTasks,
  ...digestTasks,
  ...searchTasks,
  ...passkeyTasks,
  ...sharingTasks,
};

export const threadProgram = new URL("./thread-program.ts", import.meta.url);
