import { createActor, fromCallback, fromPromise } from "xstate";
import { type UploadEvent, type UploadFile, type UploadLanguages, uploadMachine } from "../../machines/upload.ts";
import { selectUserId, uploadsMachine } from "../../machines/uploads.ts";
import type { TranscriptionSummary } from "../api/contract/index.ts";
import { apiBase } from "../api/http.ts";
import { createUpload, lookAt, UnreadableError } from "../api/upload.ts";
import { createStore, type ReadableStore, type Store } from "../audio/store.ts";
import { transcriptionsApi } from "./api-resources.ts";
import { followTranscriptions } from "./events.ts";
import { inspected } from "./inspection.ts";
import { newId } from "./new-id.ts";
import { createWakeUps, holdPage } from "./page-events.ts";
import { currentUserId, session } from "./session.ts";
import { createTokenSource } from "./session-tokens.ts";

/** What a machine does not hold: a file's bytes, and how many of them have left. */
interface Source {
  file: File;
  sent: Store<number>;
}

const sources = new Map<string, Source>();
const nothingSent: ReadableStore<number> = createStore(0);
const send = createUpload(apiBase, createTokenSource(session));

/** @throws UnreadableError when it was dismissed meanwhile */
function sourceOf(id: string): Source {
  const source = sources.get(id);
  if (source === undefined) throw new UnreadableError("The file is not in the list any more.");
  return source;
}

const upload = uploadMachine.provide({
  actors: {
    look: fromPromise<void, UploadFile>(async ({ input }) => lookAt(sourceOf(input.id).file)),
    transfer: fromPromise<TranscriptionSummary, { file: UploadFile; languages: UploadLanguages }>(async ({ input, signal }) => {
      const { file, sent } = sourceOf(input.file.id);
      sent.set(0);
      return send({ clientId: input.file.id, file, ...input.languages }, signal, (loaded) =>
        sent.set(Math.min(loaded, file.size)),
      );
    }),
    ask: fromPromise<TranscriptionSummary, { id: string }>(({ input, signal }) => transcriptionsApi.get(input.id, signal)),
    workAgain: fromPromise<TranscriptionSummary, { id: string }>(({ input, signal }) =>
      transcriptionsApi.update(input.id, { retry: true }, signal),
    ),
    news: fromCallback<UploadEvent, { id: string }>(({ input, sendBack }) =>
      followTranscriptions(({ transcription }) => {
        if (transcription.id === input.id) sendBack({ type: "transcription.updated", transcription });
      }),
    ),
    wakeUps: createWakeUps<UploadEvent>(),
    signIn: fromCallback<UploadEvent>(({ sendBack }) => {
      const { unsubscribe } = session.subscribe(() => {
        const userId = currentUserId();
        if (userId !== null && userId === selectUserId(uploads.getSnapshot())) sendBack({ type: "session.resumed" });
      });
      return unsubscribe;
    }),
  },
});

/** The files that were given to this page; lives as long as the page, whatever route is shown. */
export const uploads = createActor(
  uploadsMachine.provide({ actors: { upload, holdPage: fromCallback(() => holdPage()) } }),
  inspected(),
);

uploads.on("upload.removed", ({ id }) => sources.delete(id));
uploads.start();

function noteUser(): void {
  const userId = currentUserId();
  if (userId !== null) uploads.send({ type: "user.changed", userId });
}
noteUser();
session.subscribe(noteUser);

// A file that is dropped beside the zone would replace the page, and what is being said or sent with it.
for (const type of ["dragover", "drop"] as const) {
  addEventListener(type, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}

/** @param maxBytes the largest file that the server takes */
export function addFiles(files: readonly File[], languages: UploadLanguages, maxBytes: number): void {
  const added = files.map((file): UploadFile => {
    const id = newId();
    sources.set(id, { file, sent: createStore(0) });
    return { id, name: file.name, size: file.size };
  });
  if (added.length > 0) uploads.send({ type: "files.added", files: added, languages, maxBytes });
}

/** How many bytes of it have left in the present attempt. */
export function sentBytes(id: string): ReadableStore<number> {
  return sources.get(id)?.sent ?? nothingSent;
}
