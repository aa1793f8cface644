import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type PictureUploadEvent =
  /** The person. */
  { type: "retry.requested" } | { type: "cancel.requested" };

/** What the text, or the cover, hears. */
export type PictureUploadEmitted =
  /** It has an address: its own, or while it could not be uploaded that of a picture that stands for it. */
  { type: "arrived"; picture: Picture; isPlaceholder: boolean } | { type: "cancelled" };

export interface Picture {
  url: string;
  /** Pixels; undefined: nobody knows. */
  width: number | undefined;
  height: number | undefined;
}

interface PictureInput {
  id: string;
  /** Of the file. */
  name: string;
  /** Bytes. */
  size: number;
  /** Whether the browser takes it for a picture that can be shown. */
  isImage: boolean;
  /** Bytes that the server takes at most. */
  maxBytes: number;
  /** What stands for it when the server has no place for pictures, or can't be reached (SPEC.md section 8). */
  placeholder: Picture;
}

interface PictureContext extends PictureInput {
  picture: Picture | null;
  /** Of the contract: why it failed last. */
  code: string | null;
}

/** SPEC.md section 8: "return 404 or a network error". */
const isFallback = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && (error.status === 404 || error.status === 0);

/** One picture of a post on its way to the server. The file is with whoever sends it until it has arrived. */
export const pictureUploadMachine = setup({
  types: {
    context: {} as PictureContext,
    events: {} as PictureUploadEvent,
    emitted: {} as PictureUploadEmitted,
    input: {} as PictureInput,
  },
  actors: {
    /** How far it is flows beside the machine. Rejects with a `code`, and with the `status` of the answer (0: there was none). */
    send: fromPromise<Picture, { id: string }>(async () => notProvided("send")),
  },
  actions: {
    keepPicture: assign((_, { picture }: { picture: Picture }) => ({ picture, code: null })),
    keepCode: assign({ code: (_, { code }: { code: string }) => code }),
    emitEvent: emit((_, event: PictureUploadEmitted) => event),
  },
  guards: {
    isNoImage: ({ context }) => !context.isImage,
    isTooLarge: ({ context }) => context.size > context.maxBytes,
    isFallback: (_, { error }: { error: unknown }) => isFallback(error),
    mayHelp: ({ context }) => context.isImage && context.size <= context.maxBytes,
  },
}).createMachine({
  id: "pictureUpload",
  context: ({ input }) => ({ ...input, picture: null, code: null }),
  initial: "checking",
  on: { "cancel.requested": ".cancelled" },
  states: {
    checking: {
      always: [
        { guard: "isNoImage", target: "failed", actions: { type: "keepCode", params: { code: "notImage" } } },
        { guard: "isTooLarge", target: "failed", actions: { type: "keepCode", params: { code: "tooLarge" } } },
        { target: "sending" },
      ],
    },
    sending: {
      invoke: {
        src: "send",
        input: ({ context }) => ({ id: context.id }),
        onDone: {
          target: "arrived",
          actions: [
            { type: "keepPicture", params: ({ event }) => ({ picture: event.output }) },
            { type: "emitEvent", params: ({ event }) => ({ type: "arrived", picture: event.output, isPlaceholder: false }) },
          ],
        },
        onError: [
          {
            guard: { type: "isFallback", params: ({ event }) => event },
            target: "placeholder",
            actions: [
              { type: "keepPicture", params: ({ context }) => ({ picture: context.placeholder }) },
              { type: "keepCode", params: ({ event }) => ({ code: codeOf(event.error) }) },
              {
                type: "emitEvent",
                params: ({ context }) => ({ type: "arrived", picture: context.placeholder, isPlaceholder: true }),
              },
            ],
          },
          { target: "failed", actions: { type: "keepCode", params: ({ event }) => ({ code: codeOf(event.error) }) } },
        ],
      },
    },
    placeholder: { on: { "retry.requested": "sending" } },
    failed: { on: { "retry.requested": { guard: "mayHelp", target: "sending" } } },
    arrived: {},
    cancelled: { type: "final", entry: { type: "emitEvent", params: { type: "cancelled" } } },
  },
});

type Snapshot = SnapshotFrom<typeof pictureUploadMachine>;

export const selectPictureState = (snapshot: Snapshot): "sending" | "placeholder" | "failed" | "arrived" => {
  if (snapshot.matches("placeholder")) return "placeholder";
  if (snapshot.matches("failed")) return "failed";
  return snapshot.matches("arrived") ? "arrived" : "sending";
};
export const selectPicture = (snapshot: Snapshot): Picture | null => snapshot.context.picture;
export const selectPictureName = (snapshot: Snapshot): string => snapshot.context.name;
/** A code of the contract; null unless it failed. */
export const selectPictureCode = (snapshot: Snapshot): string | null => snapshot.context.code;
export const selectMayRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "retry.requested" });
