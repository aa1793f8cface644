import type { Concurrency } from "#server/http/concurrency.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { AccessParts } from "#server/session/require-access.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Translator } from "#server/transcription/translator.ts";

/** Dependencies of both kinds of upload: in one request, and resumable. */
export interface UploadParts extends AccessParts {
  config: { maxUploadBytes: number };
  storage: Storage;
  engines: SpeechEngines;
  translator: Translator;
  worker: Worker;
  usage: UsageMeter;
  concurrency: Concurrency;
  quota: StorageQuota;
}
