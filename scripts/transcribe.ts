import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { type Config, readConfig } from "#server/config/config.ts";
import { type Db, openDb } from "#server/db/open.ts";
import { sentenceOf } from "#server/errors/problem.ts";
import { openTableQueue } from "#server/jobs/table-queue.ts";
import { startWorker, type Worker } from "#server/jobs/worker.ts";
import { createLog } from "#server/log/log.ts";
import { type OpenJobParts, openJobParts } from "#server/processes/job-parts.ts";
import { createProcessing } from "#server/processing/processing.ts";
import { openStorage } from "#server/storage/open.ts";
import { getTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { acceptFile } from "#server/uploads/accept-file.ts";
import { newUser } from "#server/users/new-user.ts";
import { insertUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { readArguments, type Wishes } from "#server/watched-folder/arguments.ts";
import { localFields } from "#server/watched-folder/fields.ts";
import { localFile, versionOf } from "#server/watched-folder/files.ts";
import { freeName, writeResults } from "#server/watched-folder/results.ts";

// `npm run transcribe -- file…` transcribes local recordings into texts beside them, with the installed models, without
// an account, and whether or not the server runs. Nothing is stored elsewhere.

/** Interval of polling the progress (ms). */
const lookMs = 300;

interface Context {
  config: Config;
  db: Db;
  parts: OpenJobParts;
  worker: Worker;
  user: User;
  wishes: Wishes;
  signal: AbortSignal;
}

/** @returns whether there are texts */
async function transcribe(context: Context, file: string): Promise<boolean> {
  const { config, db, parts, worker, user, wishes, signal } = context;
  const [found] = await versionOf(resolve(file));
  if (found === undefined) return complain(file, "There is no such file.");
  const { language: sourceLanguage, translate: targetLanguage, speakers = false } = wishes;
  const fields = localFields(parts, { sourceLanguage, targetLanguage, speakers }, found, randomUUID());
  const { id } = await acceptFile({ ...parts, db }, user.id, fields, localFile(found, config.maxUploadBytes, signal));
  worker.wake();
  const row = await finished(db, id, file, signal);
  if (row.status === "failed") return complain(file, row.error_message ?? sentenceOf(row.error_code ?? "internal"));
  const name = await freeName(found.path);
  const { formats } = wishes;
  await writeResults({ ...parts, db }, { row, path: found.path, name, language: user.language, formats });
  console.log(formats.map((format) => join(resolve(file), "..", `${name}.${format}`)).join("\n"));
  return true;
}

function complain(file: string, sentence: string): false {
  console.error(`${file}: ${sentence}`);
  return false;
}

async function finished(db: Db, id: string, file: string, signal: AbortSignal): Promise<TranscriptionRow> {
  for (;;) {
    const row = await getTranscription(db, id);
    if (row.status === "completed" || row.status === "failed") return row;
    const { stderr } = process;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${file}: ${Math.floor((row.fraction ?? 0) * 100)} %\r`);
    await after(lookMs, undefined, { signal });
  }
}

/** @returns the exit code */
async function run(): Promise<number> {
  const { files, wishes } = readArguments(process.argv.slice(2));
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "parlance-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const context = await open(folder, cleanup);
  let isFine = true;
  for (const file of files) {
    const one = transcribe({ ...context, wishes, signal: stopping.signal }, file);
    const hasTexts = await one.catch((error: unknown) => complain(file, error instanceof Error ? error.message : String(error)));
    if (stopping.signal.aborted) return 130;
    isFine &&= hasTexts;
  }
  return isFine ? 0 : 1;
}

async function open(folder: string, cleanup: AsyncDisposableStack): Promise<Omit<Context, "wishes" | "signal">> {
  const config: Config = { ...readConfig(process.env), databaseUrl: undefined, bucket: undefined };
  const db = await openDb(folder);
  cleanup.defer(() => db.destroy());
  // A user without limits, in a temporary database.
  const user = newUser({ email: "nobody@localhost", name: "", email_verified: 1, is_superuser: 1 }, Date.now());
  await insertUser(db, user);
  const log = createLog("silent", Date.now);
  const storage = await openStorage(folder, undefined);
  const parts = await openJobParts(config, { storage: () => storage }, { db, now: Date.now, log }, cleanup);
  const queue = await openTableQueue(db, Date.now());
  cleanup.defer(() => queue.close());
  const worker = startWorker({ ...parts, handler: createProcessing(parts), queue }, { pollMs: 200, beatMs: 300 });
  cleanup.defer(() => worker.close());
  return { config, db, parts, worker, user };
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
