import type { Concurrency } from "#server/http/concurrency.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { AccessParts } from "#server/session/require-access.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Translator } from "#server/transcription/translator.ts";

/** Dependencies of the two ways to upload a file: in one request, and resumably. */
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
