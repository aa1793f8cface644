import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

export type PictureUploadEvent =
  /** The person. */
  { type: "retry.requested" } | { type: "cancel.requested" };

/** Emitted to the text, or the cover. */
export type PictureUploadEmitted =
  /** The picture has an address: its own, or that of a placeholder when the upload failed. */
  { type: "picture.arrived"; picture: Picture; isPlaceholder: boolean } | { type: "upload.cancelled" };

export interface Picture {
  url: string;
  /** Pixels; undefined when unknown. */
  width: number | undefined;
  height: number | undefined;
}

/** The states that a person sees: tags of the states. */
const pictureStates = ["sending", "placeholder", "failed", "arrived"] as const;
export type PictureState = (typeof pictureStates)[number];

interface PictureInput {
  id: string;
  /** The file's name. */
  name: string;
  /** Bytes. */
  size: number;
  /** Whether the browser recognises it as a picture that it can show. */
  isImage: boolean;
  /** The server's size limit in bytes. */
  maxBytes: number;
  /** The placeholder for when the server can't store pictures, or can't be reached (SPEC.md section 8). */
  placeholder: Picture;
}

interface PictureContext extends PictureInput {
  picture: Picture | null;
  /** An error code: why the last attempt failed. */
  code: string | null;
}

/** SPEC.md section 8: "return 404 or a network error". */
const isFallback = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && (error.status === 404 || error.status === 0);

/** The upload of one picture of a post. The `File` stays with the uploading actor. */
export const pictureUploadMachine = setup({
  types: {
    context: {} as PictureContext,
    events: {} as PictureUploadEvent,
    emitted: {} as PictureUploadEmitted,
    input: {} as PictureInput,
    tags: {} as PictureState,
  },
  actors: {
    /** Progress bypasses the machine. Rejects with a `code` and the `status` of the answer (0: no answer). */
    send: fromPromise<Picture, { id: string }>(async () => notProvided("send")),
  },
  actions: {
    assignPicture: assign((_, { picture }: { picture: Picture }) => ({ picture, code: null })),
    assignCode: assign({ code: (_, { code }: { code: string }) => code }),
    emitEvent: emit((_, event: PictureUploadEmitted) => event),
  },
  guards: {
    isNoImage: ({ context }) => !context.isImage,
    isTooLarge: ({ context }) => context.size > context.maxBytes,
    isFallback: (_, { error }: Failed) => isFallback(error),
    mayHelp: ({ context }) => context.isImage && context.size <= context.maxBytes,
  },
}).createMachine({
  id: "pictureUpload",
  context: ({ input }) => ({ ...input, picture: null, code: null }),
  initial: "checking",
  on: { "cancel.requested": ".cancelled" },
  states: {
    checking: {
      tags: "sending",
      always: [
        { guard: "isNoImage", target: "failed", actions: { type: "assignCode", params: { code: "notImage" } } },
        { guard: "isTooLarge", target: "failed", actions: { type: "assignCode", params: { code: "tooLarge" } } },
        { target: "sending" },
      ],
    },
    sending: {
      tags: "sending",
      invoke: {
        src: "send",
        input: ({ context }) => ({ id: context.id }),
        onDone: {
          target: "arrived",
          actions: [
            { type: "assignPicture", params: ({ event }) => ({ picture: event.output }) },
            {
              type: "emitEvent",
              params: ({ event }) => ({ type: "picture.arrived", picture: event.output, isPlaceholder: false }),
            },
          ],
        },
        onError: [
          {
            guard: withEvent("isFallback"),
            target: "placeholder",
            actions: [
              { type: "assignPicture", params: ({ context }) => ({ picture: context.placeholder }) },
              { type: "assignCode", params: ({ event }) => ({ code: codeOf(event.error) }) },
              {
                type: "emitEvent",
                params: ({ context }) => ({ type: "picture.arrived", picture: context.placeholder, isPlaceholder: true }),
              },
            ],
          },
          { target: "failed", actions: { type: "assignCode", params: ({ event }) => ({ code: codeOf(event.error) }) } },
        ],
      },
    },
    placeholder: { tags: "placeholder", on: { "retry.requested": "sending" } },
    failed: { tags: "failed", on: { "retry.requested": { guard: "mayHelp", target: "sending" } } },
    arrived: { tags: "arrived" },
    cancelled: { type: "final", entry: { type: "emitEvent", params: { type: "upload.cancelled" } } },
  },
});

type Snapshot = SnapshotFrom<typeof pictureUploadMachine>;

/** A cancelled upload is no longer shown. */
export const selectPictureState = (snapshot: Snapshot): PictureState =>
  pictureStates.find((state) => snapshot.hasTag(state)) ?? "sending";
export const selectPicture = (snapshot: Snapshot): Picture | null => snapshot.context.picture;
export const selectPictureName = (snapshot: Snapshot): string => snapshot.context.name;
/** An error code of the contract; null unless it failed. */
export const selectPictureCode = (snapshot: Snapshot): string | null => snapshot.context.code;
export const selectMayRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "retry.requested" });
