import type { Db } from "#server/db/open.ts";
import { soundKind } from "#server/speech/tracks.ts";
import type { Storage } from "#server/storage/storage.ts";
import { fileAt, type StoredFile } from "#server/storage/stored-file.ts";
import {
  type ChangedAudio,
  keepAudioSize,
  keepLiveSize,
  keepTextSize,
  listChangedAudio,
  listLive,
  listUnmeasuredTexts,
} from "./storage-queries.ts";

export interface MeasureParts {
  db: Db;
  storage: Pick<Storage, "audio" | "peaks" | "videos" | "livePath" | "liveBlocks">;
  /** A text in the vault. */
  vaultText(id: string): Promise<StoredFile | undefined>;
}

/** Files measured concurrently. */
const atOnce = 32;

/** Measures a user's files whose size the database does not know. The database keeps a size until the file changes. */
export async function measureStored(parts: MeasureParts, userId: string): Promise<void> {
  const { db, vaultText } = parts;
  const audio = (await listChangedAudio(db, userId)).map(
    (one) => async () => keepAudioSize(db, one, await audioBytes(parts, one)),
  );
  const live = (await listLive(db, userId)).map(({ id, bytes }) => async () => {
    const now = await liveBytes(parts, id);
    if (now !== bytes) await keepLiveSize(db, id, now);
  });
  const texts = (await listUnmeasuredTexts(db, userId)).map(
    (id) => async () => keepTextSize(db, id, (await vaultText(id))?.size ?? 0),
  );
  const all = [...audio, ...live, ...texts];
  for (let from = 0; from < all.length; from += atOnce) {
    await Promise.all(all.slice(from, from + atOnce).map((measure) => measure()));
  }
}

/** Bytes of an audio and of the files derived from it. */
async function audioBytes({ storage }: MeasureParts, one: ChangedAudio): Promise<number> {
  const kind = soundKind(one);
  const files = await Promise.all([
    storage.audio(one.id),
    storage.videos.file(one.id, "picture"),
    storage.videos.file(one.id, "captioned"),
    kind && storage.videos.file(one.id, kind),
  ]);
  return files.reduce((sum, file) => sum + (file?.size ?? 0), await storage.peaks.size(one.id));
}

/** Bytes of a dictation so far. */
async function liveBytes({ storage }: MeasureParts, id: string): Promise<number> {
  const blocks = storage.liveBlocks(id);
  return blocks === undefined ? ((await fileAt(`${storage.livePath(id)}.pcm`))?.size ?? 0) : blocks.size();
}
