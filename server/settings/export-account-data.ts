import type { Readable } from "node:stream";
import type { ZipFile } from "yazl";
import { titleOf } from "#contract/index.ts";
import { profileOf } from "#server/account/profile.ts";
import { type PostRow, postsOfAuthor } from "#server/blog/queries.ts";
import type { Db } from "#server/db/open.ts";
import { exportRow } from "#server/exports/export-row.ts";
import { addFile, addLazily, nameInZip as fileName, type OpenZip, openZip } from "#server/http/zip-stream.ts";
import { viewPasskey } from "#server/passkeys/passkeys.ts";
import { listPasskeys } from "#server/passkeys/queries.ts";
import { findSecondFactor } from "#server/second-factor/queries.ts";
import { listActiveSessions } from "#server/session/active-sessions.ts";
import { listRecentSignIns } from "#server/session/recent-sign-ins.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import { findSubscription } from "#server/subscription/queries.ts";
import type { Threads } from "#server/threads/threads.ts";
import { audioName } from "#server/transcription/audio-name.ts";
import { findTranscription } from "#server/transcription/queries.ts";
import { factsOf } from "#server/transcription/view.ts";
import type { User } from "#server/users/tables.ts";
import { createVaultFiles } from "#server/vault/files.ts";
import { findVault, listVaultItems } from "#server/vault/queries.ts";
import { ownTranscriptions, smallRowsOf } from "./export-queries.ts";

interface Parts {
  db: Db;
  adminNeedsSecondFactor: boolean;
  billing: Billing;
  storage: Storage;
  threads: Threads;
}

/**
 * All of a user's data as a ZIP file: texts as text and as JSON, audio in its original format, encrypted data as it
 * is (with the sealed key), and the account. Streamed: memory usage is constant.
 */
export async function exportAccountData(parts: Parts, user: User, sessionId: string): Promise<Readable> {
  const open = openZip();
  const { zip, stream } = open;
  addJson(zip, "account.json", () => accountOf(parts, user, sessionId));
  const { ids, trash } = await ownTranscriptions(parts.db, user.id);
  for (const id of ids) await addTranscription(open, parts, user, { id, place: "transcriptions" });
  for (const { id } of trash) await addTranscription(open, parts, user, { id, place: "trash" });
  if (trash.length > 0) addJson(zip, "trash/trash.json", async () => trash);
  for (const post of await postsOfAuthor(parts.db, user.id)) {
    const name = `posts/${new Date(post.created_at).toISOString().slice(0, 10)} ${fileName(post.title)} ${post.id.slice(0, 8)}.md`;
    addLazily(zip, name, async () => Buffer.from(`# ${post.title}\n\n${post.content}\n`));
  }
  await addVault(open, parts, user.id);
  zip.end();
  return stream;
}

async function accountOf(parts: Parts, user: User, sessionId: string) {
  const { db, billing } = parts;
  const subscription = await findSubscription(db, user.id);
  const invoices = subscription === undefined ? [] : await billing.invoices(user, subscription).catch(() => []);
  const signIns = await listActiveSessions(db, user.id, sessionId);
  const recentSignIns = await listRecentSignIns(db, user.id, sessionId);
  const posts = (await postsOfAuthor(db, user.id)).map(aboutPost);
  const profile = await profileOf(parts, user, sessionId);
  // Without the secret, so that an export opens nothing.
  const enabledAt = (await findSecondFactor(db, user.id))?.enabled_at ?? null;
  const secondFactor = { enabledAt: enabledAt === null ? null : new Date(enabledAt).toISOString() };
  const passkeys = (await listPasskeys(db, user.id)).map(viewPasskey);
  return { profile, secondFactor, passkeys, signIns, recentSignIns, invoices, posts, ...(await smallRowsOf(db, user.id)) };
}

/** Everything but the text, which has a file of its own. */
function aboutPost({ content: _, haystack: __, ...about }: PostRow) {
  return about;
}

/** @param place its folder in the ZIP file */
async function addTranscription(
  open: OpenZip,
  parts: Parts,
  user: User,
  { id, place }: { id: string; place: "transcriptions" | "trash" },
): Promise<void> {
  const { db, storage } = parts;
  const find = () => findTranscription(db, user.id, id, { deleted: place === "trash" });
  const row = await find();
  if (row === undefined) return;
  const folder = `${place}/${new Date(row.date).toISOString().slice(0, 10)} ${fileName(titleOf(factsOf(row)) || row.origin)} ${id.slice(0, 8)}`;
  const read = async (format: "json" | "txt") => {
    const current = (await find()) ?? row;
    const { bytes } = await exportRow(parts, current, { format, content: "both", language: user.language }, user.id);
    return Buffer.from(bytes);
  };
  addLazily(open.zip, `${folder}/transcript.json`, () => read("json"));
  addLazily(open.zip, `${folder}/transcript.txt`, () => read("txt"));
  if (row.audio_type === null) return;
  const { name, ending } = audioName({ ...row, title: "audio" });
  addFile(open, await storage.audio(id), `${folder}/${fileName(`${name}.${ending}`)}`);
}

async function addVault(open: OpenZip, { db, storage }: Parts, userId: string): Promise<void> {
  const vault = await findVault(db, userId);
  if (vault === undefined) return;
  const files = createVaultFiles(storage);
  addJson(open.zip, "vault/vault.json", async () => vault);
  for (const { id, meta } of await listVaultItems(db, userId)) {
    addJson(open.zip, `vault/${id}/about.json`, async () => ({ meta }));
    addFile(open, await files.content(id), `vault/${id}/recording.age`);
    addFile(open, await files.text(id), `vault/${id}/text.age`);
  }
}

function addJson(zip: ZipFile, name: string, make: () => Promise<unknown>): void {
  addLazily(zip, name, async () => Buffer.from(`${JSON.stringify(await make(), null, 2)}\n`));
}
