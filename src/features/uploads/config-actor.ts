import { createActor, fromCallback } from "xstate";
import type { EnginesAnswer } from "#contract/index.ts";
import {
  type LookCommand,
  type StartCommand,
  type UploadConfigActor,
  type UploadConfigEvent,
  uploadConfigMachine,
} from "#machines/uploads/config.ts";
import type { UploadFile } from "#machines/uploads/events.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { addFiles, whenProcessing } from "./actor.ts";
import { rememberDetails, storedDetails } from "./config.ts";
import { dropShareTargetFiles, type ShareTargetFile } from "./share-target-files.ts";
import { soundTracksIn } from "./sound-tracks.ts";

/** The page for files and options, with the chosen `File` objects. */
export interface UploadConfig {
  actor: UploadConfigActor;
  choose(files: readonly File[]): void;
}

const path = "/file-upload-config";
const configs = perOwner<UploadConfig>({ end: ({ actor }) => actor.stop() });

/** The same file always has the same id. */
const idOf = ({ name, size, lastModified }: File): string => `${size} ${lastModified} ${name}`;

/**
 * Called by the page's loader.
 * @param isShown the page is open and was only loaded again; chosen files stay
 * @param shareTargetFiles files from the share target, which wait until the user confirms
 */
export function enterUploadConfig(
  engines: EnginesAnswer,
  shareTargetFiles: readonly ShareTargetFile[],
  isShown: boolean,
): UploadConfig {
  const create = () => createUploadConfig(engines, shareTargetFiles);
  return isShown ? configs.open(create) : configs.replace(create);
}

export const leaveUploadConfig = configs.close;

function createUploadConfig(engines: EnginesAnswer, shareTargetFiles: readonly ShareTargetFile[]): UploadConfig {
  const chosen = new Map<string, File>();
  const noted = (files: readonly File[]): UploadFile[] =>
    files.map((file) => {
      const id = idOf(file);
      chosen.set(id, file);
      return { id, name: file.name, size: file.size };
    });
  const start = ({ files, options }: StartCommand): string[] => {
    void dropShareTargetFiles(shareTargetFiles);
    const { maxUploadBytes } = engines.limits;
    const ids = files.flatMap(({ id, track }) => {
      const file = chosen.get(id);
      return file === undefined ? [] : addFiles([file], { ...options, ...(track && { track }) }, maxUploadBytes);
    });
    chosen.clear();
    return ids;
  };
  const machine = uploadConfigMachine.provide({
    actors: {
      uploads: fromCallback(({ receive, sendBack }) =>
        receive(async (command) => {
          const [id, ...others] = start(command);
          if (id === undefined || others.length > 0) return;
          const transcriptionId = await whenProcessing(id);
          if (transcriptionId !== null) sendBack({ type: "upload.received", transcriptionId } satisfies UploadConfigEvent);
        }),
      ),
      tracks: fromCallback<LookCommand, readonly UploadFile[]>(({ input, receive, sendBack }) => {
        const ended = new AbortController();
        const look = async ({ id }: UploadFile) => {
          const file = chosen.get(id);
          const tracks = file && (await soundTracksIn(file, ended.signal));
          if (tracks !== undefined) sendBack({ type: "tracks.found", id, tracks } satisfies UploadConfigEvent);
        };
        const lookAt = (files: readonly UploadFile[]) => files.forEach((file) => void look(file));
        lookAt(input);
        receive(({ files }) => lookAt(files));
        return () => ended.abort();
      }),
    },
    actions: {
      rememberLanguages: (_, languages) => rememberLanguages(languages),
      rememberDetails: (_, details) => rememberDetails(details),
      dropFile: (_, { id }) => {
        chosen.delete(id);
        void dropShareTargetFiles(shareTargetFiles.filter(({ file }) => idOf(file) === id));
      },
      openTranscription: (_, params) => {
        const router = pageRouter();
        if (router.state.location.pathname !== path) return;
        void router.navigate({ to: "/file-processing/$transcriptionId", params });
      },
    },
  });
  const options = { ...chosenLanguages(engines, { files: true }), ...storedDetails() };
  const input = { speech: engines.speech, files: noted(shareTargetFiles.map(({ file }) => file)), options };
  const actor = createActor(machine, { ...inspected(), input }).start();
  return { actor, choose: (files) => actor.send({ type: "files.chosen", files: noted(files) }) };
}
