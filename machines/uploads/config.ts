import { type ActorRefFrom, assign, fromCallback, type SnapshotFrom, sendTo, setup } from "xstate";
import type { AudioTrack, EnginesAnswer } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";
import type { UploadFile, UploadOptions } from "./events.ts";

/** The languages, and the other options. */
type Languages = Pick<UploadOptions, "sourceLanguage" | "targetLanguage">;
export type Details = Omit<UploadOptions, keyof Languages | "track">;

/** A chosen file, with its known audio tracks. */
export interface ChosenFile extends UploadFile {
  /** The tracks if there are several; absent: it has one, or they are not known yet. */
  tracks?: readonly AudioTrack[];
  /** The number of the track to transcribe; absent: the default one. */
  track?: number | undefined;
}

export type UploadConfigEvent =
  /** The person chose or dropped files, each with the same id whenever it is chosen; does not want one of them. */
  | { type: "files.chosen"; files: readonly UploadFile[] }
  | { type: "file.removed"; id: string }
  /** The actor `tracks`: this file has several audio tracks. */
  | { type: "tracks.found"; id: string; tracks: readonly AudioTrack[] }
  /** undefined: the default one. */
  | { type: "track.chosen"; id: string; track: number }
  | { type: "languages.changed"; languages: Languages }
  | { type: "details.changed"; details: Details }
  | { type: "start.requested" }
  /** The actor `uploads`: the server has the whole of a file that was started alone. */
  | { type: "upload.received"; transcriptionId: string };

/** Sent to the actor `uploads`. */
export interface StartCommand {
  type: "files.started";
  files: readonly Pick<ChosenFile, "id" | "track">[];
  options: UploadOptions;
}

/** Sent to the actor `tracks`. */
export interface LookCommand {
  type: "files.chosen";
  files: readonly UploadFile[];
}

interface UploadConfigInput {
  /** The engines' abilities. */
  speech: Pick<EnginesAnswer["speech"], "languages" | "diarizes">;
  /** Another app has shared them. */
  files: readonly ChosenFile[];
  options: UploadOptions;
}

/** The options to send: a title for a single file, and the abilities of the language's engine. */
function wantedOptions({ speech, files, options }: UploadConfigInput): UploadOptions {
  const engine = speech.languages.find(({ code }) => code === options.sourceLanguage);
  return {
    ...options,
    title: files.length === 1 ? options.title.trim() : "",
    vocabulary: options.vocabulary.trim(),
    speakers: options.speakers && engine?.speakers === true,
    speakerCount: speech.diarizes === true ? options.speakerCount : undefined,
  };
}

/** Files and options before the upload: chosen, started together, and the next ones. The `File`s stay with the page. */
export const uploadConfigMachine = setup({
  types: { context: {} as UploadConfigInput, events: {} as UploadConfigEvent, input: {} as UploadConfigInput },
  actors: {
    /** Starts uploads, and sends `upload.received`. */
    uploads: fromCallback<StartCommand>(() => notProvided("uploads")),
    /** Reads the audio tracks of files, and sends `tracks.found`. Nothing waits for it. */
    tracks: fromCallback<LookCommand, readonly UploadFile[]>(() => notProvided("tracks")),
  },
  actions: {
    addFiles: assign({
      // A file that is chosen again keeps its known data.
      files: ({ context }, { files }: { files: readonly UploadFile[] }) => [
        ...new Map([...context.files, ...files, ...context.files].map((file) => [file.id, file])).values(),
      ],
    }),
    look: sendTo("tracks", (_, { files }: { files: readonly UploadFile[] }): LookCommand => ({ type: "files.chosen", files })),
    setTracks: assign({
      files: ({ context }, { id, tracks }: { id: string; tracks: readonly AudioTrack[] }) =>
        context.files.map((file) => (file.id === id ? { ...file, tracks } : file)),
    }),
    setTrack: assign({
      files: ({ context }, { id, track }: { id: string; track: number }) =>
        context.files.map((file) => (file.id === id ? { ...file, track } : file)),
    }),
    removeFile: assign({ files: ({ context }, { id }: { id: string }) => context.files.filter((file) => file.id !== id) }),
    setLanguages: assign({
      options: ({ context }, { languages }: { languages: Languages }) => ({ ...context.options, ...languages }),
    }),
    setDetails: assign({ options: ({ context }, { details }: { details: Details }) => ({ ...context.options, ...details }) }),
    start: sendTo("uploads", ({ context }): StartCommand => {
      const files = context.files.map(({ id, track }) => ({ id, ...(track !== undefined && { track }) }));
      return { type: "files.started", files, options: wantedOptions(context) };
    }),
    clearFiles: assign({ files: [], options: ({ context }) => ({ ...context.options, title: "" }) }),
    rememberLanguages: (_, _params: Languages) => notProvided("rememberLanguages"),
    rememberDetails: (_, _params: Details) => notProvided("rememberDetails"),
    /** The file is not uploaded. */
    dropFile: (_, _params: { id: string }) => notProvided("dropFile"),
    openTranscription: (_, _params: { transcriptionId: string }) => notProvided("openTranscription"),
  },
  guards: { hasFiles: ({ context }) => context.files.length > 0 },
}).createMachine({
  id: "uploadConfig",
  context: ({ input }) => input,
  invoke: [
    { src: "uploads", id: "uploads" },
    { src: "tracks", id: "tracks", input: ({ context }) => context.files },
  ],
  on: {
    "files.chosen": { actions: [withEvent("addFiles"), withEvent("look")] },
    "tracks.found": { actions: withEvent("setTracks") },
    "track.chosen": { actions: withEvent("setTrack") },
    "file.removed": { actions: [withEvent("removeFile"), withEvent("dropFile")] },
    "languages.changed": {
      actions: [withEvent("setLanguages"), { type: "rememberLanguages", params: ({ event }) => event.languages }],
    },
    "details.changed": { actions: [withEvent("setDetails"), { type: "rememberDetails", params: ({ event }) => event.details }] },
    "start.requested": [
      {
        guard: "hasFiles",
        target: ".unchecked",
        actions: ["start", "clearFiles", { type: "rememberDetails", params: ({ context }) => context.options }],
      },
      { target: ".checked" },
    ],
    "upload.received": { actions: withEvent("openTranscription") },
  },
  initial: "unchecked",
  states: {
    unchecked: {},
    /** The person pressed Start without a file. */
    checked: {},
  },
});

export type UploadConfigActor = ActorRefFrom<typeof uploadConfigMachine>;
type Snapshot = SnapshotFrom<typeof uploadConfigMachine>;

/** The same array until it changes. */
export const selectFiles = (snapshot: Snapshot): readonly ChosenFile[] => snapshot.context.files;
/** The same object until it changes. */
export const selectOptions = (snapshot: Snapshot): UploadOptions => snapshot.context.options;
/** Whether the person pressed Start without a file. */
export const selectLacksFiles = (snapshot: Snapshot): boolean =>
  snapshot.matches("checked") && snapshot.context.files.length === 0;
