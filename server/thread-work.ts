import { digestWork } from "./blog/digest-work.ts";
import { dictationWork } from "./dictation/work.ts";
import { feedHtmlWork } from "./page/feed-html-work.ts";
import { renderingWork } from "./page/rendering-work.ts";
import { searchWork } from "./search/work.ts";
import { passkeyWork } from "./session/passkey-work.ts";
import { sharingWork } from "./sharing/work.ts";
import { transcriptWork } from "./transcription/work.ts";
import { turnWork } from "./translator/work.ts";
import { feedWork } from "./uploads/fetching/feed-work.ts";

/** All functions that run in threads. */
export const threadWork = {
  ...transcriptWork,
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
