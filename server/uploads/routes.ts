import { randomUUID } from "node:crypto";
import { ERRORS, Metadata, Server } from "@tus/server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as v from "valibot";
import { ErrorBody, type ErrorCode } from "#contract/index.ts";
import { inTurn, type Locks } from "#server/cluster/locks.ts";
import { isOwnFault, Problem } from "#server/errors/problem.ts";
import { uploadConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { cleanName } from "#server/http/file-name.ts";
import { streamsBody } from "#server/http/limits.ts";
import { problemOf } from "#server/http/problem-of.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { accessFor } from "#server/session/require-access.ts";
import { findByClientId, findTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { checkFields } from "./fields.ts";
import { finishUpload, hasArrived } from "./finish.ts";
import { createLocker } from "./locks.ts";
import { uploadOperations } from "./operations.ts";
import type { UploadParts } from "./parts.ts";
import { countUploads, findUpload, findUploadOf, insertUpload, removeUpload, type UploadRow } from "./queries.ts";
import { createUploadStore } from "./store.ts";

interface Parts extends UploadParts {
  log: Log;
  locks: Locks;
}

const path = "/api/v1/uploads";
const version = "1.0.0";
/**
 * How long a seemingly dead request may still write received bytes once another request wants the upload
 * (milliseconds).
 */
const drainMs = 300;

/** Status when another request holds the upload. */
const lockedStatus = 423;
/** Most unfinished uploads per user; abandoned ones expire after days. */
const maxBegun = 100;

/** Error codes of the contract for the statuses that @tus/server itself returns. */
const codes: Record<number, ErrorCode> = { 404: "notFound", 409: "conflict", 410: "gone", 413: "tooLarge", 500: "internal" };

/**
 * Resumable uploads (tus 1.0: creation, termination, expiration). The metadata are the fields of UploadFields, with
 * `filename` and `filetype`. An upload has the id of its future transcription. Users can access only their own uploads.
 */
export function tusRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, storage } = deps;
  /** The id for the upload that a request creates. */
  const ids = new WeakMap<object, string>();
  const tus = createTus(deps, (request) => ids.get(request) ?? "");
  const pass = async (c: Context<AppEnv>) => {
    refuseExtensions(c);
    return answerOf(await tus.handleWeb(c.req.raw));
  };

  const access = accessFor(deps);
  app.use(`${path}/*`, streamsBody(deps.config.maxUploadBytes));

  app.post(path, access(uploadOperations.begin), async (c) => {
    const user = c.var.user;
    refuseExtensions(c);
    const wanted = readWish(deps, c);
    // Serialized, so that a retry does not take room in addition to the attempt that it repeats.
    const row = await inTurn(deps.locks, `upload/${user.id}/${wanted.clientId}`, async () => {
      const known = await findUploadOf(db, user.id, wanted.clientId);
      // Looked up after the upload, because finishing replaces the upload by it.
      return known ?? (await findByClientId(db, user.id, wanted.clientId)) ?? beginUpload(deps, user.id, wanted);
    });
    if (!("size" in row)) return created(c, row.id, wanted.size);
    if (row.size !== wanted.size) throw new Problem("conflict", "Another file is being uploaded with this client id.");
    // A retry after a lost response: bytes received since are kept.
    const before = await arrivedOf(deps, row);
    if (before !== undefined) return created(c, row.id, before);
    ids.set(c.req.raw, row.id);
    const answer = await pass(c);
    if (answer.ok) return answer;
    // Another request may have finished the same upload in the meantime. Bytes that have arrived stay for the next
    // request.
    const done = await findByClientId(db, user.id, wanted.clientId);
    if (done !== undefined) return created(c, done.id, wanted.size);
    const arrived = await arrivedOf(deps, row);
    if (arrived === undefined) await removeUpload(db, row.id);
    else if (answer.status === lockedStatus) return created(c, row.id, arrived);
    return answer;
  });

  // Hono routes HEAD to the GET handler; downloads are not offered.
  app.get(`${path}/:id`, access(uploadOperations.ask), async (c) => {
    if (c.req.method !== "HEAD") throw new Problem("notFound");
    const { id, row, made } = await ownUpload(deps, c);
    if (row === undefined) return completed(c, await audioSize(deps, id), made);
    if (!(await hasArrived(deps, row))) return pass(c);
    const finished = await finishUpload(deps, row);
    deps.worker.wake();
    return completed(c, row.size, finished);
  });
  app.patch(`${path}/:id`, access(uploadOperations.append), async (c) => {
    const { row } = await ownUpload(deps, c);
    if (row === undefined) throw new Problem("conflict", "The file is already complete.");
    return deps.concurrency.run(uploadConcurrency, c.var.user.id, c.req.raw.signal, () => pass(c));
  });
  app.delete(`${path}/:id`, access(uploadOperations.abandon), async (c) => {
    const { row } = await ownUpload(deps, c);
    if (row === undefined) throw new Problem("conflict", "The file is already complete.");
    if ((await storage.uploads.arrived(row.id)) !== undefined) return pass(c);
    await removeUpload(db, row.id);
    return c.body(null, 204);
  });
  return app;
}

/** Headers of tus extensions that `Tus-Extension` does not list. */
const notOffered = ["Upload-Concat", "Upload-Defer-Length", "Upload-Checksum"];

/** @throws Problem `badRequest` */
function refuseExtensions(c: Context<AppEnv>): void {
  const name = notOffered.find((header) => c.req.header(header) !== undefined);
  if (name !== undefined) throw new Problem("badRequest", `${name}: this server does not support this tus extension.`);
}

/** The headers of every tus response, and the response to OPTIONS. Must be registered before other OPTIONS handlers. */
export function announceTus({ config }: { config: { maxUploadBytes: number } }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    if (c.req.path !== path && !c.req.path.startsWith(`${path}/`)) return;
    c.res.headers.set("Tus-Resumable", version);
    if (c.req.method !== "OPTIONS") return;
    c.res.headers.set("Tus-Version", version);
    c.res.headers.set("Tus-Extension", "creation,creation-with-upload,termination,expiration");
    c.res.headers.set("Tus-Max-Size", String(config.maxUploadBytes));
  };
}

function createTus(deps: Parts, idOf: (request: object) => string): Server {
  return new Server({
    path,
    relativeLocation: true,
    datastore: createUploadStore(deps.storage, deps.db),
    locker: createLocker(deps.locks),
    lockDrainTimeout: drainMs,
    maxSize: deps.config.maxUploadBytes,
    namingFunction: idOf,
    onUploadFinish: async (_request, { id }) => {
      const row = await findUpload(deps.db, id);
      if (row !== undefined) await finishUpload(deps, row);
      deps.worker.wake();
      return {};
    },
    onResponseError: (_request, error) => {
      // @tus/server cancels a request with its own error or, after `lockDrainTimeout`, with the event that announced
      //   it.
      const isCalledOff = error === ERRORS.ABORTED || error instanceof Event;
      // Errors of @tus/server carry their status.
      if ("status_code" in error && !isCalledOff) return undefined;
      const problem = isCalledOff ? locked() : problemOf(error);
      if (isOwnFault(problem)) deps.log.error("upload failed", describeError(error));
      return { status_code: problem.status, body: JSON.stringify({ message: problem.message, code: problem.code }) };
    },
  });
}

/**
 * Another request holds the upload, or its lock was lost with the database connection. tus clients retry this status,
 * but not 400.
 */
function locked(): Problem {
  return new Problem("conflict", "Another request continues this upload. Try again in a moment.", { status: lockedStatus });
}

/** Removes the CORS headers of @tus/server and rewrites its errors: this server does both. */
async function answerOf(answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  if (answer.ok) return new Response(answer.body, { status: answer.status, headers });
  const text = await answer.text();
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBody), text);
  const body: ErrorBody = parsed.success
    ? parsed.output
    : { message: text.trim() || "The upload was refused.", code: codes[answer.status] ?? "badRequest" };
  headers.delete("content-length");
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(body), { status: answer.status, headers });
}

interface Wish {
  clientId: string;
  size: number;
  raw: Record<string, string>;
}

/** Refuses an invalid upload before any byte is sent. @throws Problem */
function readWish(deps: Parts, c: Context<AppEnv>): Wish {
  const raw = readMetadata(c.req.header("upload-metadata") ?? "");
  const { clientId } = checkFields(deps, raw);
  const length = c.req.header("upload-length") ?? "";
  if (!/^\d{1,15}$/.test(length)) throw new Problem("badRequest", "Upload-Length: the file's size in bytes is missing.");
  const size = Number(length);
  if (size === 0) throw new Problem("emptyFile");
  if (size > deps.config.maxUploadBytes) throw new Problem("tooLarge");
  return { clientId, size, raw };
}

/** @throws Problem `limitReached`, `quotaReached`, `tooManyAtOnce` */
async function beginUpload(deps: Parts, userId: string, wanted: Wish): Promise<UploadRow> {
  await deps.usage.refuseAtLimit(userId);
  if ((await countUploads(deps.db, userId)) >= maxBegun) throw new Problem("tooManyAtOnce", undefined, { retryAfter: 60 });
  return deps.db.transaction().execute((t) => insertUpload(t, rowOf(userId, wanted, deps.now())));
}

function readMetadata(header: string): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(Metadata.parse(header)).map(([key, value]) => [key, value ?? ""]));
  } catch {
    throw new Problem("badRequest", "Upload-Metadata: is missing or does not follow tus 1.0.");
  }
}

function rowOf(userId: string, { clientId, size, raw }: Wish, at: number): UploadRow {
  const { filename = "", filetype = "", ...fields } = raw;
  return {
    id: randomUUID(),
    user_id: userId,
    client_id: clientId,
    size,
    created_at: at,
    fields: JSON.stringify(fields),
    file_name: cleanName(filename),
    file_type: filetype.toLowerCase().slice(0, 100),
  };
}

/** Bytes that have arrived; undefined before the first. */
async function arrivedOf(deps: Parts, row: UploadRow): Promise<number | undefined> {
  return (await deps.storage.uploads.arrived(row.id)) ?? ((await hasArrived(deps, row)) ? row.size : undefined);
}

/**
 * The upload in the path, or the transcription made of it. @throws Problem `notFound`, also for other users' uploads
 */
async function ownUpload({ db }: Parts, c: Context<AppEnv>) {
  const id = c.req.param("id") ?? "";
  const row = await findUpload(db, id, c.var.user.id);
  const made = row === undefined ? await findTranscription(db, c.var.user.id, id, { deleted: true }) : undefined;
  if (row === undefined && made?.origin !== "upload") throw new Problem("notFound", "This upload does not exist.");
  return { id, row, made };
}

async function audioSize({ storage }: Parts, id: string): Promise<number> {
  const audio = await storage.audio(id);
  if (audio === undefined) throw new Problem("gone");
  return audio.size;
}

/** @param offset where the client continues (bytes) */
function created(c: Context<AppEnv>, id: string, offset: number): Response {
  return c.body(null, 201, { Location: `${path}/${id}`, "Upload-Offset": String(offset) });
}

/** Names the transcription to continue with. Its id differs if the file was also uploaded in another request. */
function completed(c: Context<AppEnv>, size: number, made: TranscriptionRow | undefined): Response {
  const id = made?.id ?? c.req.param("id") ?? "";
  c.header("Location", `${path}/${id}`);
  return c.body(null, 200 satisfies ContentfulStatusCode, { "Upload-Offset": String(size), "Upload-Length": String(size) });
}
