import { randomUUID } from "node:crypto";
import type { UrlTranscription } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { addressesOf, checkUrl } from "#server/outbound/address.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import { findByClientId, type NewTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import type { Translator } from "#server/transcription/translator.ts";
import { addFetch, countFetches } from "./fetch-queries.ts";
import { type FetchPolicy, fileNameIn } from "./fetching/fetch.ts";
import { checkFields, titleFrom, uploadedRow } from "./fields.ts";
import { storeWithJob } from "./queries.ts";

export interface AcceptUrlParts extends DbParts {
  engines: SpeechEngines;
  translator: Translator;
  usage: UsageMeter;
  quota: StorageQuota;
  urlPolicy: FetchPolicy;
}

/** Most recordings per user being or waiting to be fetched: slow servers must not delay other users. */
const maxFetches = 10;

/**
 * Enqueues a transcription whose recording is fetched from a URL. A repeated client id returns its existing
 * transcription.
 * @throws Problem at once if it is already known to fail
 */
export async function acceptUrl(deps: AcceptUrlParts, userId: string, wanted: UrlTranscription): Promise<TranscriptionRow> {
  const { db, urlPolicy, now, usage } = deps;
  const { url: text, ...asked } = wanted;
  const fields = checkFields(deps, asked);
  const known = await findByClientId(db, userId, fields.clientId);
  // A retry after a lost response.
  if (known !== undefined) return known;
  await usage.refuseAtLimit(userId);
  await deps.quota.refuseWhenFull(userId);
  const url = checkUrl(text, urlPolicy);
  if ((await countFetches(db, userId)) >= maxFetches) throw new Problem("tooManyRequests", undefined, { retryAfter: 60 });
  await addressesOf(url, urlPolicy);
  const id = randomUUID();
  // Until the response gives a name, the URL does.
  const name = titleFrom(fileNameIn(url)) || url.hostname;
  const row: NewTranscription = {
    ...uploadedRow({ id, userId, fields: { ...fields, title: fields.title || name }, file: { name: "", type: "" }, at: now() }),
    origin: "url",
    audio_type: null,
    file_name: name,
  };
  return db.transaction().execute(async (t) => {
    const stored = await storeWithJob(t, row, now());
    if (stored.id === id) await addFetch(t, id, url.href);
    return stored;
  });
}
