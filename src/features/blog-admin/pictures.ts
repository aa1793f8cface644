import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { maxImageBytes } from "#contract/index.ts";
import {
  type Picture,
  type PictureUploadEmitted,
  pictureUploadMachine,
  selectPictureState,
} from "#machines/blog-admin/picture-upload.ts";
import { createImageCall } from "#src/api/blog-admin.ts";
import { apiBase, createCall, createPlainSend, createSend } from "#src/api/http.ts";
import { createXhrFetch } from "#src/api/xhr.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { newId } from "#src/browser/new-id.ts";
import { createStore } from "#src/browser/store.ts";
import { tokens } from "#src/features/session/actor.ts";
import { createPictureFiles } from "./picture-files.ts";

type PictureUpload = ActorRefFrom<typeof pictureUploadMachine>;
export type PictureUse = "text" | "cover";

/** One picture's upload. The row stays until the user dismisses it. */
export interface PictureRow {
  id: string;
  use: PictureUse;
  actor: PictureUpload;
  /** Progress from 0 to 1. */
  sent: { get(): number; subscribe(listener: () => void): () => void };
}

export type PostPictures = ReturnType<typeof createPostPictures>;

const files = createPictureFiles(() => Date.now());

/** A placeholder image on our server. The query tells several placeholders in one text apart. */
const placeholderOf = (id: string): Picture => ({ url: `/images/placeholder.svg?${id}`, width: 1200, height: 675 });

/** Measures the picture if the server did not report its size. */
async function withSize(picture: Picture, file: File): Promise<Picture> {
  if (picture.width !== undefined && picture.height !== undefined) return picture;
  try {
    const { width, height } = await createImageBitmap(file);
    return { ...picture, width, height };
  } catch {
    return picture;
  }
}

async function sendPicture(file: File, signal: AbortSignal, report: (fraction: number) => void): Promise<Picture> {
  const progress = createXhrFetch((bytes) => report(Math.min(1, bytes / Math.max(1, file.size))));
  const answer = await createImageCall(createSend(createPlainSend(apiBase, progress), tokens), createCall)(file, signal);
  return withSize({ url: answer.imageUrl, width: answer.width, height: answer.height }, file);
}

function createRow(id: string, use: PictureUse, file: File): PictureRow {
  const sent = createStore(0);
  const machine = pictureUploadMachine.provide({
    actors: {
      send: fromPromise(async ({ signal }) => {
        sent.set(0);
        return sendPicture(file, signal, sent.set);
      }),
    },
  });
  const input = { id, name: file.name, size: file.size, isImage: file.type.startsWith("image/") };
  const limits = { maxBytes: maxImageBytes, placeholder: placeholderOf(id) };
  return { id, use, sent, actor: createActor(machine, { ...inspected(), input: { ...input, ...limits } }) };
}

/**
 * Manages the pictures of one post.
 * @param onEvent called when a picture's state changes
 */
export function createPostPictures(ownerId: string, onEvent: (row: PictureRow, event: PictureUploadEmitted) => void) {
  let rows: readonly PictureRow[] = [];
  const { subscribe, emit } = createListeners();
  const set = (next: readonly PictureRow[]) => {
    rows = next;
    emit();
  };
  const drop = (id: string) => set(rows.filter((row) => row.id !== id));
  const begin = (id: string, use: PictureUse, file: File): PictureRow => {
    const row = createRow(id, use, file);
    row.actor.on("picture.arrived", (event) => {
      if (!event.isPlaceholder) void files.remove(id);
      onEvent(row, event);
    });
    row.actor.on("upload.cancelled", (event) => {
      void files.remove(id);
      drop(id);
      onEvent(row, event);
    });
    row.actor.subscribe(() => set(rows));
    set([...rows, row]);
    return row;
  };
  return {
    /** The rows, the newest last. The same array until a row is added or removed. */
    list: () => rows,
    subscribe,
    add: (use: PictureUse, file: File) => {
      const id = newId();
      void files.keep(id, ownerId, file);
      return begin(id, use, file);
    },
    /**
     * Resumes an upload that a reload has interrupted.
     * @returns undefined when the browser has not persisted the file
     */
    resume: async (id: string) => {
      const file = await files.recall(id, ownerId);
      return rows.find((row) => row.id === id) ?? (file && begin(id, "text", file));
    },
    dismiss: (id: string) => {
      rows.find((row) => row.id === id)?.actor.stop();
      void files.remove(id);
      drop(id);
    },
    isSending: () => rows.some(({ actor }) => selectPictureState(actor.getSnapshot()) === "sending"),
    /** Aborts running uploads. Their files stay persisted for the next visit. */
    stop: () => {
      for (const { actor } of rows) actor.stop();
    },
  };
}
