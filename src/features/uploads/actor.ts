import { type Actor, createActor, fromCallback, fromPromise, waitFor } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import type { UploadEvent, UploadFile, UploadOptions } from "#machines/uploads/events.ts";
import { selectUploads, selectUserId, type UnfinishedUpload, type UploadRef, uploadsMachine } from "#machines/uploads/machine.ts";
import { isLasting } from "#machines/uploads/rules.ts";
import { selectState, selectTranscriptionId } from "#machines/uploads/selectors.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";
import { apiBase } from "#src/api/http.ts";
import { checkFile, createDiscard, createUpload } from "#src/api/uploads.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { inspected } from "#src/browser/inspection.ts";
import { newId } from "#src/browser/new-id.ts";
import { createWakeUps, holdPage } from "#src/browser/page-events.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { currentUserId, openSession, tokens } from "#src/features/session/actor.ts";
import { accessToken } from "#src/features/session/api.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { listNew } from "#src/features/transcriptions/actor.ts";
import { followTranscriptions } from "#src/features/transcriptions/event-stream.ts";
import { createInHistory, type InHistory } from "./in-history.ts";
import { createOverall, type Overall } from "./overall.ts";
import { createUploadMemory } from "./persisted-uploads.ts";
import { createUploadSources } from "./sources.ts";

/** Timeout for deleting an abandoned upload (ms). */
const discardTimeoutMs = 10_000;

const send = createUpload(apiBase, tokens);
const discard = createDiscard(tokens);
const memory = createUploadMemory({
  locks: createRecordingLocks(navigator.locks, "parlance-upload:"),
  room: async () => {
    // WebKitGTK (2.50) does not report the free space, but refuses writes beyond it as other browsers do.
    if (!("storage" in navigator)) return Number.POSITIVE_INFINITY;
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota - usage;
  },
  now: () => Date.now(),
});
const sources = createUploadSources();

async function transfer(file: UploadFile, options: UploadOptions, signal: AbortSignal): Promise<TranscriptionSummary> {
  const source = sources.get(file.id);
  try {
    const upload = { clientId: file.id, file: source.bytes(), url: source.url, ...options };
    const transcriptionId = await send(upload, signal, {
      onSent: (sent) => source.sent.set(Math.min(sent, file.size)),
      onUrl: (url) => {
        source.url = url;
        void memory.keepUrl(file.id, url);
      },
    });
    // Sends no request for a user who has signed out meanwhile.
    await accessToken(signal);
    const transcription = await transcriptionsApi.get(transcriptionId, signal);
    listNew(transcription);
    source.url = null;
    source.sent.set(file.size);
    void memory.remove(file.id);
    return transcription;
  } catch (error) {
    // A lasting failure would fail again after a reload.
    if (isLasting(codeOf(error))) void memory.remove(file.id);
    throw error;
  }
}

const upload = uploadMachine.provide({
  actors: {
    checkFile: fromPromise(async ({ input }) => {
      const source = sources.get(input.id);
      await checkFile(source.bytes());
      if (source.kept !== null) void memory.keep(source.kept, source.bytes());
    }),
    transfer: fromPromise(({ input, signal }) => transfer(input.file, input.options, signal)),
    discard: fromPromise(async ({ input, signal }) => {
      const source = sources.get(input.id);
      const { url } = source;
      source.url = null;
      source.sent.set(0);
      await memory.remove(input.id);
      if (url !== null) await discard(url, signal);
    }),
    ask: fromPromise(({ input, signal }) => transcriptionsApi.get(input.id, signal)),
    reprocess: fromPromise(({ input, signal }) => transcriptionsApi.update(input.id, { retry: true }, signal)),
    updates: fromCallback(({ input, sendBack }) =>
      followTranscriptions(({ transcription }) => {
        if (transcription.id === input.id) sendBack({ type: "transcription.updated", transcription });
      }),
    ),
    wakeUps: createWakeUps<UploadEvent>(),
    signIn: fromCallback(({ sendBack }) => {
      const { unsubscribe } = openSession().subscribe(() => {
        const userId = currentUserId();
        if (userId !== null && userId === selectUserId(openUploads().getSnapshot())) sendBack({ type: "session.resumed" });
      });
      return unsubscribe;
    }),
  },
});

async function recall(userId: string): Promise<UnfinishedUpload[]> {
  const found = await memory.take(userId);
  return found.map(({ upload: kept, file }) => {
    const { id, name, size, options, maxBytes } = kept;
    sources.add(id, { file, kept, url: kept.url });
    return { file: { id, name, size }, options, maxBytes };
  });
}

interface PageUploads {
  actor: Actor<typeof uploadsMachine>;
  overall: ReadableStore<Overall>;
  inHistory: ReadableStore<InHistory>;
}
let open: PageUploads | undefined;

function pageUploads(): PageUploads {
  if (open !== undefined) return open;
  const actor = createActor(
    uploadsMachine.provide({
      actors: {
        upload,
        holdPage: fromCallback(() => holdPage()),
        recall: fromPromise(({ input }) => recall(input.userId)),
      },
    }),
    inspected(),
  );
  actor.on("upload.removed", ({ id, ownerLeft }) => {
    const { url } = sources.get(id);
    sources.remove(id);
    // If this fails, the server deletes the upload after a week.
    if (url !== null && !ownerLeft) discard(url, AbortSignal.timeout(discardTimeoutMs)).catch(() => {});
    // An unfinished upload waits for its owner, even if another user signs in.
    void (ownerLeft ? memory.release(id) : memory.remove(id));
  });
  open = { actor, overall: createOverall(actor, sentBytes), inHistory: createInHistory(actor) };
  actor.start();
  const noteUser = () => {
    const userId = currentUserId();
    if (userId !== null) actor.send({ type: "user.changed", userId });
  };
  noteUser();
  openSession().subscribe(noteUser);
  refuseStrayDrops();
  return open;
}

/** The page's uploads. Created on first use, they live as long as the page, whatever route is open. */
export const openUploads = (): PageUploads["actor"] => pageUploads().actor;
/** The overall progress. */
export const openOverall = (): ReadableStore<Overall> => pageUploads().overall;

/** The uploads that the history shows. */
export const openInHistory = (): ReadableStore<InHistory> => pageUploads().inHistory;

/** Prevents a file dropped beside the zone from navigating away, which would interrupt recordings and uploads. */
function refuseStrayDrops(): void {
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(type, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    });
  }
}

/** The unfinished upload of this file, found by name, size and modification time. A changed file is another one. */
function waitingFor(file: File) {
  return selectUploads(openUploads().getSnapshot()).find(
    (candidate) => selectState(candidate.getSnapshot()) === "missing" && sources.get(candidate.id).isOf(file),
  );
}

/**
 * Adds chosen files. Resumes unfinished uploads of them, and starts the others.
 * @param maxBytes the server's limit
 * @returns the ids of the uploads, in the order of the files
 */
export function addFiles(files: readonly File[], options: UploadOptions, maxBytes: number): string[] {
  return files.map((file) => {
    const waiting = waitingFor(file);
    if (waiting !== undefined) {
      sources.get(waiting.id).give(file);
      waiting.send({ type: "file.given" });
      return waiting.id;
    }
    const id = newId();
    const { name, size, lastModified } = file;
    const kept = {
      id,
      ownerId: currentUserId() ?? "",
      name,
      size,
      lastModified,
      url: null,
      maxBytes,
      options,
      begunAt: Date.now(),
    };
    sources.add(id, { file, kept, url: null });
    openUploads().send({ type: "files.added", files: [{ id, name, size }], options, maxBytes });
    return id;
  });
}

/**
 * Attaches a chosen file to an unfinished upload. A changed file of the same name replaces the upload; any other starts
 * its own upload.
 */
export function giveFile(upload: UploadRef, file: File): void {
  const { kept } = sources.get(upload.id);
  if (kept === null) return;
  if (kept.name === file.name && !sources.get(upload.id).isOf(file))
    openUploads().send({ type: "dismiss.requested", id: upload.id });
  addFiles([file], kept.options, kept.maxBytes);
}

/**
 * Waits until the server has received the whole file.
 * @returns its transcription; null when the upload failed or was cancelled
 */
export async function whenProcessing(id: string): Promise<string | null> {
  const upload = selectUploads(openUploads().getSnapshot()).find((one) => one.id === id);
  if (upload === undefined) return null;
  const over = new Set(["processing", "completed", "failed", "cancelled"]);
  return waitFor(upload, (snapshot) => over.has(selectState(snapshot)), { timeout: Number.POSITIVE_INFINITY }).then(
    (snapshot) => selectTranscriptionId(snapshot),
    () => null,
  );
}

/** The id of an upload's transcription. Known as soon as the server has assigned it, before the upload completes. */
export const transcriptionIdOf = (id: string): string | null => sources.get(id).transcriptionId;

/** Bytes sent of an upload, including those before an interruption. */
export const sentBytes = (id: string) => sources.get(id).sent;
