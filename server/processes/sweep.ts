import { deleteExpiredAccountLinks } from "#server/account/sweep.ts";
import { recordDay } from "#server/admin/history.ts";
import { sweepBlogImages } from "#server/blog/images.ts";
import { deleteReaders } from "#server/blog/sweep.ts";
import { truncateWriteAheadLog } from "#server/db/checkpoint.ts";
import type { DbParts } from "#server/db/open.ts";
import { promoteAbandoned } from "#server/dictation/promote-abandoned.ts";
import type { Live } from "#server/dictation/sockets.ts";
import { deleteLiveCopies } from "#server/dictation/sweep.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { deletePastChallenges } from "#server/passkeys/sweep.ts";
import { deleteEndedOffers } from "#server/people/sweep.ts";
import { deleteExpiredPersonalTokens } from "#server/personal-tokens/sweep.ts";
import { deleteByRules } from "#server/retention/sweep.ts";
import type { SearchIndex } from "#server/search/indexing.ts";
import { keepSearchIndex } from "#server/search/sweep.ts";
import { deleteExpiredSessions } from "#server/session/sweep.ts";
import { deleteEndedLinks } from "#server/sharing/sweep.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { endStaleUploads } from "#server/storage/sweep.ts";
import { type Billing, settleBilling } from "#server/subscription/open-billing.ts";
import { checkStorage } from "#server/subscription/storage-check.ts";
import { purgeTrash } from "#server/transcriptions/sweep.ts";
import { isDeletedTurn } from "#server/translator/queries.ts";
import { deleteExpiredUploads } from "#server/uploads/finish.ts";
import { deleteUnfinishedItems } from "#server/vault/sweep.ts";
import { deletePastCaptioned } from "#server/video/sweep.ts";
import { deletePastDeliveries } from "#server/webhooks/sweep.ts";

interface Parts extends DbParts {
  config: { dataDir: string; sessionDays: number };
  log: Log;
  billing: Billing;
  storage: Storage;
  worker: Worker;
  live: Live;
  engines: SpeechEngines;
  searchIndex: SearchIndex;
  vaultText(id: string): Promise<StoredFile | undefined>;
  isDeletedTurn: typeof isDeletedTurn;
}

/** The features' periodic chores, in this order. The last one removes deleted data from the write-ahead log. */
const chores: readonly ((parts: Parts) => Promise<unknown>)[] = [
  settleBilling,
  purgeTrash,
  promoteAbandoned,
  deleteExpiredSessions,
  deletePastChallenges,
  deleteExpiredPersonalTokens,
  deleteExpiredAccountLinks,
  deleteEndedLinks,
  deleteEndedOffers,
  deletePastDeliveries,
  deleteByRules,
  deleteExpiredUploads,
  deletePastCaptioned,
  endStaleUploads,
  deleteLiveCopies,
  deleteUnfinishedItems,
  recordDay,
  checkStorage,
  deleteReaders,
  sweepBlogImages,
  keepSearchIndex,
  truncateWriteAheadLog,
];

/** Runs all periodic chores. A failure does not stop the others. */
export async function sweep(parts: Omit<Parts, "isDeletedTurn">): Promise<void> {
  for (const chore of chores) {
    await chore({ ...parts, isDeletedTurn }).catch((error: unknown) =>
      parts.log.error("sweep failed", { chore: chore.name, ...describeError(error) }),
    );
  }
}
