import { type ActorRefFrom, assign, enqueueActions, fromCallback, fromPromise, not, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { giveSlots, hasSlots, noSlots, type UploadSlots, withoutSlot, withWaiting } from "#machines/upload-slots.ts";
import { withEvent } from "#machines/with-event.ts";
import type { UploadEmitted, UploadFile, UploadOptions } from "./events.ts";
import { uploadMachine } from "./upload.ts";

export type UploadsEvent =
  /** The person dropped or chose files; `maxBytes` is the server's size limit. */
  | { type: "files.added"; files: readonly UploadFile[]; options: UploadOptions; maxBytes: number }
  /** The person dismisses this one. */
  | { type: "dismiss.requested"; id: string }
  /** The session: who is signed in now. */
  | { type: "user.changed"; userId: string }
  /** From the uploads themselves. */
  | UploadEmitted;

/** Emitted to the rest of the page: the file's bytes can be dropped, only for now when its owner has signed out. */
export type UploadsEmitted = { type: "upload.removed"; id: string; ownerLeft: boolean };

/** An upload that was started before the page was loaded. */
export interface UnfinishedUpload {
  file: UploadFile;
  options: UploadOptions;
  maxBytes: number;
}

export type UploadRef = ActorRefFrom<typeof uploadMachine>;

interface UploadsContext extends UploadSlots {
  /** The owner of these files. */
  userId: string | null;
  /** In order of arrival. */
  uploads: readonly UploadRef[];
}

/** More at once would not be faster: they share the same connection. */
const maxAtOnce = 2;

/** The uploads, for as long as the page is open. Two are sent at a time. */
export const uploadsMachine = setup({
  types: { context: {} as UploadsContext, events: {} as UploadsEvent, emitted: {} as UploadsEmitted },
  actors: {
    upload: uploadMachine,
    /** This person's unfinished uploads in this browser that no other tab is sending. */
    recall: fromPromise<readonly UnfinishedUpload[], { userId: string }>(async () => notProvided("recall")),
    /** Asks before the page is closed. */
    holdPage: fromCallback(() => notProvided("holdPage")),
  },
  actions: {
    spawnUploads: assign(({ context, spawn, self }, { uploads }: { uploads: readonly UnfinishedUpload[] }) => {
      const fresh = uploads.filter(({ file }) => !context.uploads.some(({ id }) => id === file.id));
      const added = fresh.map((upload) => spawn("upload", { id: upload.file.id, input: { ...upload, list: self } }));
      return { uploads: [...context.uploads, ...added] };
    }),
    queue: assign(({ context }, { id }: { id: string }) => withWaiting(context, id)),
    unqueue: assign(({ context }, { id }: { id: string }) => withoutSlot(context, id)),
    giveSlots: enqueueActions(({ context, enqueue }) => {
      const { given, slots } = giveSlots(context, maxAtOnce);
      if (given.length === 0) return;
      enqueue.assign(slots);
      for (const id of given) enqueue.sendTo(id, { type: "slot.given" });
    }),
    remove: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      enqueue.stopChild(id);
      enqueue.assign({ ...withoutSlot(context, id), uploads: context.uploads.filter((upload) => upload.id !== id) });
      enqueue.emit({ type: "upload.removed", id, ownerLeft: false });
    }),
    removeAll: enqueueActions(({ context, enqueue }) => {
      for (const { id } of context.uploads) {
        enqueue.stopChild(id);
        enqueue.emit({ type: "upload.removed", id, ownerLeft: true });
      }
      enqueue.assign({ ...noSlots, uploads: [] });
    }),
    assignUser: assign({ userId: (_, { userId }: { userId: string }) => userId }),
  },
  guards: {
    isSomeoneElse: ({ context }, { userId }: { userId: string }) => context.userId !== null && context.userId !== userId,
    isFirst: ({ context }) => context.userId === null,
    isSending: ({ context }) => hasSlots(context),
  },
}).createMachine({
  id: "uploads",
  context: { ...noSlots, userId: null, uploads: [] },
  on: {
    "files.added": {
      actions: {
        type: "spawnUploads",
        params: ({ event: { files, options, maxBytes } }) => ({ uploads: files.map((file) => ({ file, options, maxBytes })) }),
      },
    },
    "slot.requested": { actions: [withEvent("queue"), "giveSlots"] },
    "slot.released": { actions: [withEvent("unqueue"), "giveSlots"] },
    "dismiss.requested": { actions: [withEvent("remove"), "giveSlots"] },
    "user.changed": [
      {
        // One person's uploads must not reach another one's history.
        guard: withEvent("isSomeoneElse"),
        target: ".memory.recalling",
        actions: ["removeAll", withEvent("assignUser")],
      },
      { guard: "isFirst", target: ".memory.recalling", actions: withEvent("assignUser") },
    ],
  },
  type: "parallel",
  states: {
    queue: {
      initial: "calm",
      states: {
        calm: { always: { guard: "isSending", target: "sending" } },
        sending: {
          invoke: { src: "holdPage" },
          always: { guard: not("isSending"), target: "calm" },
        },
      },
    },
    memory: {
      initial: "idle",
      states: {
        idle: {},
        recalling: {
          invoke: {
            src: "recall",
            input: ({ context }) => ({ userId: context.userId ?? "" }),
            onDone: { target: "idle", actions: { type: "spawnUploads", params: ({ event }) => ({ uploads: event.output }) } },
            // A browser that stores nothing has nothing to restore.
            onError: "idle",
          },
        },
      },
    },
  },
});

type UploadsSnapshot = ReturnType<typeof uploadsMachine.getInitialSnapshot>;

/** The same array until one is added or removed. */
export const selectUploads = (snapshot: UploadsSnapshot): readonly UploadRef[] => snapshot.context.uploads;
export const selectUserId = (snapshot: UploadsSnapshot): string | null => snapshot.context.userId;
