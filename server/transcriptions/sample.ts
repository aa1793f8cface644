import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import { Segment } from "#contract/index.ts";
import { mayBeStored } from "#server/db/errors.ts";
import type { Db } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import {
  insertTranscription,
  type NewTranscription,
  type TranscriptionRow,
  waitingToBeMade,
} from "#server/transcription/queries.ts";
import { findSample } from "./queries.ts";

/** The landing page's demonstration: a recording, and the engines' unedited result (scripts/demo.ts). */
const recording = new URL("../../public/demo/jfk.mp3", import.meta.url);
const recognized = new URL("../../public/demo/jfk.json", import.meta.url);

const Recognized = v.object({ engine: v.string(), durationSeconds: v.number(), segments: v.array(Segment) });

export interface SampleParts {
  db: Db;
  storage: Storage;
  quota: Pick<StorageQuota, "refuseWhenFull">;
}

interface Wanted {
  userId: string;
  title: string;
  /** Epoch ms. */
  date: number;
  /** Default: its id. */
  clientId?: string;
}

/**
 * A copy of the sample recording with its transcript. It belongs to the user, who can correct, export and delete it
 * like any other. No engine runs for it, so it costs no minutes. A user who has one already gets that.
 * @throws Problem `quotaReached`
 */
export async function openSample({ db, storage, quota }: SampleParts, wanted: Wanted): Promise<TranscriptionRow> {
  const known = await findSample(db, wanted.userId);
  if (known !== undefined) return known;
  await quota.refuseWhenFull(wanted.userId);
  const { engine, durationSeconds, segments } = v.parse(Recognized, JSON.parse(await readFile(recognized, "utf8")));
  const id = randomUUID();
  const row: NewTranscription = {
    ...waitingToBeMade,
    id,
    client_id: wanted.clientId ?? id,
    user_id: wanted.userId,
    recording_id: null,
    title: wanted.title,
    text: textOf(segments),
    translated_text: translatedTextOf(segments),
    segments: JSON.stringify(segments),
    source_language: "en",
    target_language: "es",
    date: wanted.date,
    status: "completed",
    origin: "sample",
    duration_seconds: durationSeconds,
    audio_type: "audio/mpeg",
    file_name: "jfk.mp3",
    engine,
    stage: null,
    fraction: null,
  };
  const audio = storage.receive(id);
  try {
    await pipeline(createReadStream(recording), audio.stream);
    await audio.keep();
    const stored = await db.transaction().execute(
      // The user may have clicked twice, or in two tabs.
      async (t) => (await findSample(t, wanted.userId)) ?? (await insertTranscription(t, row, audio.bytes)),
    );
    if (stored === undefined) throw new Error("The sample was not saved.");
    if (stored.id !== id) await audio.discard();
    return stored;
  } catch (error) {
    if (!mayBeStored(error)) await audio.discard();
    throw error;
  }
}
