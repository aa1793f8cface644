import { type Context, Hono, type MiddlewareHandler } from "hono";
import { PartQuery, VaultItemChange, vaultLimits } from "#contract/index.ts";
import { inTurn, type Locks } from "#server/cluster/locks.ts";
import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { deleteRecordingsAttachedTo } from "#server/dictation/queries.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson } from "#server/http/body.ts";
import { type Concurrency, uploadConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { streamsBody } from "#server/http/limits.ts";
import { sendRange } from "#server/http/send-range.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { deleteTranscription, findTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { isUnfinished } from "#server/transcription/view.ts";
import { deleteTurnsOf } from "#server/translator/queries.ts";
import { eraseVoices } from "#server/voice-profiles/profiles.ts";
import type { VaultFiles } from "./files.ts";
import { changeVaultItem, findVaultItem, growVaultItem, removeVaultItem, type VaultItemRow } from "./queries.ts";
import { itemView } from "./view.ts";

interface RouteParts extends DbParts {
  storage: Storage;
  worker: Worker;
  concurrency: Concurrency;
  locks: Locks;
}

interface Parts {
  files: VaultFiles;
  signedIn: MiddlewareHandler<AppEnv>;
  subscribed: MiddlewareHandler<AppEnv>;
}

/** Routes of single items, below /api/v1/encrypted-audio. Other users' items are not found. */
export function vaultItemRoutes(deps: RouteParts, { files, signedIn, subscribed }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db } = deps;
  const own = async (c: Context<AppEnv>): Promise<VaultItemRow> => {
    const row = await findVaultItem(db, c.var.user.id, c.req.param("id") ?? "");
    if (row === undefined) throw new Problem("notFound", "The vault does not have this recording.");
    return row;
  };
  const whole = async (c: Context<AppEnv>): Promise<VaultItemRow> => {
    const row = await own(c);
    if (row.arrived_at === null) throw new Problem("notFound", "This recording is incomplete.");
    return row;
  };
  /** The same for a response with the item's data, which ends when the item is deleted. */
  const sent = (c: Context<AppEnv>): Promise<VaultItemRow> => {
    askAgain(c, () => whole(c));
    return whole(c);
  };

  app.get("/:id", signedIn, async (c) => c.json(itemView(await own(c))));
  app.patch("/:id", signedIn, subscribed, async (c) => {
    const { id } = await whole(c);
    const { meta } = await readJson(c, VaultItemChange);
    return c.json(itemView(await changeVaultItem(db, id, { meta })));
  });
  app.put("/:id/content", streamsBody(vaultLimits.part), signedIn, subscribed, async (c) => {
    const { offset } = check(PartQuery, c.req.query());
    requireLength(c);
    const row = await own(c);
    const take = () => takePart(c, deps, files, row, offset);
    return c.json(itemView(await deps.concurrency.run(uploadConcurrency, c.var.user.id, c.req.raw.signal, take)));
  });
  app.put("/:id/text", streamsBody(vaultLimits.text), signedIn, subscribed, async (c) => {
    const { id } = await own(c);
    const size = requireLength(c);
    // Serialized, so that the row has the length of the last text.
    const item = await inTurn(deps.locks, `vault.text/${id}`, async () => {
      const { text_bytes: before } = await own(c);
      // Room is reserved before the text arrives.
      await changeVaultItem(db, id, { text_bytes: Math.max(size, before ?? 0) });
      await files.writeText(id, vaultLimits.text, bodyOf(c)).catch(async (error: unknown) => {
        await changeVaultItem(db, id, { text_bytes: before });
        throw error;
      });
      return changeVaultItem(db, id, { has_text: 1, text_bytes: size });
    });
    return c.json(itemView(item));
  });
  app.get("/:id/content", signedIn, async (c) => {
    const { id } = await sent(c);
    return sendAgeFile(c, await files.content(id), id);
  });
  app.get("/:id/text", signedIn, async (c) => {
    const { id, has_text } = await sent(c);
    if (has_text === 0) throw new Problem("notFound", "This recording has no text.");
    return sendAgeFile(c, await files.text(id), id);
  });
  app.delete("/:id", signedIn, async (c) => {
    const { id } = await own(c);
    await removeVaultItem(db, id);
    await files.remove(id);
    await emptyLog(db);
    return c.body(null, 204);
  });
  app.delete("/:id/plaintext", signedIn, async (c) => {
    const { transcription_id: id } = await whole(c);
    const row = id === null ? undefined : await findTranscription(db, c.var.user.id, id, { deleted: true });
    // A retry after a lost response: it is already deleted.
    if (row === undefined) return c.body(null, 204);
    if (isUnfinished(row)) throw new Problem("conflict", "This transcription is still being made.");
    await destroyTranscription(deps, row);
    return c.body(null, 204);
  });
  return app;
}

/** @returns the body's length, in bytes @throws Problem `badRequest` without a Content-Length */
function requireLength(c: Context<AppEnv>): number {
  const length = Number(c.req.header("content-length") ?? Number.NaN);
  if (!Number.isInteger(length)) throw new Problem("badRequest", "The header Content-Length is missing.", { status: 411 });
  return length;
}

/**
 * Appends to an item's file. Bytes received before an interruption are kept.
 * @throws Problem `conflict` when the file ends elsewhere: GET the item to learn where
 */
async function takePart(
  c: Context<AppEnv>,
  { db, now }: { db: Db; now: () => number },
  files: VaultFiles,
  row: VaultItemRow,
  offset: number,
): Promise<VaultItemRow> {
  const refused = async (bytes: number) => {
    // The body is read to its end; otherwise the page would not see the response.
    for await (const _ of c.env.incoming);
    return new Problem("conflict", `The file has ${bytes} bytes.`);
  };
  if (offset !== row.received || row.arrived_at !== null) throw await refused(row.received);
  const grow = (to: number) => growVaultItem(db, { id: row.id, from: offset, to, whole: to === row.size, at: now() });
  const arrived = await files.arrived(row.id, row.received);
  if (arrived !== offset) {
    await grow(arrived);
    throw await refused(arrived);
  }
  const { end, failure } = await files.append(row.id, offset, row.size, bodyOf(c));
  const grown = await grow(end);
  if (failure !== undefined) throw failure instanceof Problem ? failure : interruption(failure);
  if (grown === undefined) throw new Problem("conflict", "Two requests wrote to the same file.");
  return grown;
}

/**
 * The request's body. Stopping to read it keeps the connection open for the response; the rest is drained elsewhere,
 * within limits.
 */
function bodyOf(c: Context<AppEnv>): AsyncIterable<Uint8Array> {
  return c.env.incoming.iterator({ destroyOnReturn: false });
}

/** Passes on a disk error; any other error means that the client disconnected. */
function interruption(failure: unknown): unknown {
  const fromDisk = failure instanceof Error && "syscall" in failure && failure.syscall === "write";
  return fromDisk ? failure : new Problem("interrupted");
}

/** Sends a file of the vault, or the requested range of it. */
export function sendAgeFile(c: Context<AppEnv>, file: StoredFile | undefined, id: string): Response {
  if (file === undefined) throw new Problem("gone");
  c.header("Content-Type", "application/octet-stream");
  c.header("Content-Disposition", `attachment; filename="${id}.age"`);
  c.header("Cache-Control", "private, no-store");
  return sendRange(c, file, `"${id}-${file.size}"`);
}

/**
 * Deletes a transcription immediately and permanently: its row, its job and pieces, its original and decoded audio, its
 * live recording, a conversation's turns, and its speakers' voices, also from the voice profiles.
 */
async function destroyTranscription(
  { db, storage, worker }: { db: Db; storage: Storage; worker: Worker },
  row: Pick<TranscriptionRow, "id" | "user_id" | "client_id">,
): Promise<void> {
  const { id, user_id: userId } = row;
  const recordings = await db.transaction().execute(async (t) => {
    const made = await deleteRecordingsAttachedTo(t, id);
    await eraseVoices(t, { userId, transcriptionId: id });
    await deleteTranscription(t, id);
    await deleteTurnsOf(t, userId, row.client_id);
    return made;
  });
  worker.check();
  await storage.removeAudio(id);
  await storage.removePcm(id);
  for (const recording of recordings) await storage.removeLive(recording);
  await emptyLog(db);
}
