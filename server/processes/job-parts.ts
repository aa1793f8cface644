import type { Config } from "#server/config/config.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { CatalogueModel } from "#server/models/catalogue.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { openModelStore } from "#server/models/store.ts";
import { type Resolve, resolveBySystem } from "#server/outbound/address.ts";
import {
  type Diarizer,
  decodeToPcm,
  openDiarizer,
  openEngines,
  openPunctuator,
  type SpeechEngines,
} from "#server/speech/index.ts";
import { openBucket } from "#server/storage/bucket.ts";
import { openStorage } from "#server/storage/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { createStorageQuota } from "#server/subscription/storage-quota.ts";
import { createUsage } from "#server/subscription/usage.ts";
import { MemoryBudget } from "#server/threads/budget.ts";
import { openThreads, type Threads } from "#server/threads/threads.ts";
import { createTranslator } from "#server/transcription/translator.ts";
import { openTranslation, type Translation } from "#server/translation/index.ts";
import { createFetchAudio, type FetchTimes, fetchTimes } from "#server/uploads/fetching/fetch.ts";
import { createVaultFiles } from "#server/vault/files.ts";
import { threadProgram, threadTasks } from "./thread-tasks.ts";

export interface JobOverrides {
  /** Closed when the server stops. */
  engines?: SpeechEngines;
  /** The models that can be installed. Default: the product's catalogue. */
  catalogue?: readonly CatalogueModel[];
  translation?: Translation;
  storage?: (real: Storage) => Storage;
  diarizer?: Diarizer;
  decode?: typeof decodeToPcm;
  /** Closed when the server stops. */
  threads?: Threads;
  resolve?: Resolve;
  fetchTimes?: Partial<FetchTimes>;
}

export type OpenJobParts = Awaited<ReturnType<typeof openJobParts>>;

interface Base extends DbParts {
  log: Log;
  /** Whether people dictate to this process; default: it does jobs alone. */
  isLive?: boolean;
}

export async function openJobParts(
  config: Config,
  overrides: JobOverrides,
  { db, now, log, isLive = false }: Base,
  cleanup: AsyncDisposableStack,
) {
  const bucket = config.bucket && (await openBucket(config.bucket));
  cleanup.defer(() => bucket?.close());
  await bucket?.check();
  const ownStorage = await openStorage(config.dataDir, bucket);
  const storage = overrides.storage?.(ownStorage) ?? ownStorage;
  const models = await openModelStore({ dataDir: config.dataDir, catalogue: overrides.catalogue ?? modelCatalogue, log });
  cleanup.defer(() => models.close());
  const memory = new MemoryBudget();
  const engines =
    overrides.engines ?? (await openEngines({ dataDir: config.dataDir, ...config.speech, isLive, log }, models, memory));
  cleanup.defer(() => engines.close());
  const translation = overrides.translation ?? (await openTranslation({ ...config.translation, log }, models, memory));
  cleanup.defer(() => translation.close());
  const translator = createTranslator(translation, engines);
  const decode = overrides.decode ?? decodeToPcm;
  const diarizer = overrides.diarizer ?? openDiarizer(models);
  const punctuator = openPunctuator({ models, log });
  cleanup.defer(() => punctuator.close());
  const times = { ...fetchTimes, ...overrides.fetchTimes };
  const urlPolicy = { allowed: config.fetchAllowHosts, resolve: overrides.resolve ?? resolveBySystem, times };
  const threads = overrides.threads ?? openThreads(threadTasks, threadProgram);
  cleanup.defer(() => threads.close());
  const fetchAudio = createFetchAudio({ ...urlPolicy, threads, maxBytes: config.maxUploadBytes });
  const usage = createUsage(db, now);
  const { text: vaultText } = createVaultFiles(storage);
  const quota = createStorageQuota({ db, storage, config, vaultText });
  const { maxAudioSeconds } = config;
  return {
    db,
    now,
    log,
    storage,
    models,
    memory,
    engines,
    translation,
    translator,
    diarizer,
    punctuator,
    decode,
    usage,
    quota,
    vaultText,
    threads,
    maxAudioSeconds,
    maxVideoBytes: config.maxUploadBytes,
    urlPolicy,
    fetchAudio,
  };
}
