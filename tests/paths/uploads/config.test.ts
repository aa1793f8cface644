import { createActor } from "xstate";
import {
  type LookCommand,
  type StartCommand,
  selectFiles,
  selectLacksFiles,
  selectOptions,
  type UploadConfigEvent,
  uploadConfigMachine,
} from "#machines/uploads/config.ts";
import type { UploadFile } from "#machines/uploads/events.ts";
import { options } from "#tests/machines/uploads/harness.ts";
import { said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const [first, second] = [
  { id: "a", name: "a.wav", size: 1 },
  { id: "b", name: "b.wav", size: 2 },
];

function prepare(stubs: Stubs) {
  const uploads = stubs.callback<UploadConfigEvent, StartCommand>();
  const tracks = stubs.callback<UploadConfigEvent, LookCommand, readonly UploadFile[]>();
  let environment = { title: "", opened: false };
  const machine = uploadConfigMachine.provide({
    actors: { uploads: uploads.logic, tracks: tracks.logic },
    actions: {
      rememberLanguages: () => {},
      rememberDetails: (_, { title }) => {
        environment.title = title;
      },
      dropFile: () => {},
      openTranscription: () => {
        environment.opened = true;
      },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    environment = { title: "", opened: false };
    const input = { speech: { languages: [] }, files: start === "a file was shared" ? [second] : [], options };
    return { actor: createActor(machine, { clock, inspect, input }), uploads, tracks, environment };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const ids = (harness: Harness) => selectFiles(snapshot(harness)).map(({ id }) => id);
const found = [1, 2].map(() => ({ language: null, title: null, isDefault: false }));
const hasTracks = (harness: Harness) => selectFiles(snapshot(harness)).some(({ tracks }) => tracks !== undefined);

walkTests<Harness>({
  machine: uploadConfigMachine,
  prepare,
  starts: ["the page is opened", "a file was shared"],
  moves: [
    sent<UploadConfigEvent>({ type: "files.chosen", files: [first] }, "a file is chosen"),
    sent<UploadConfigEvent>({ type: "file.removed", id: "a" }),
    sent<UploadConfigEvent>({ type: "languages.changed", languages: { sourceLanguage: "de-DE", targetLanguage: null } }),
    sent<UploadConfigEvent>({ type: "details.changed", details: { title: "A", vocabulary: "", speakers: false } }),
    sent<UploadConfigEvent>({ type: "start.requested" }),
    { ...sent<UploadConfigEvent>({ type: "track.chosen", id: "a", track: 2 }), may: hasTracks },
    said({ type: "tracks.found", id: "a", tracks: found }, ({ tracks }: Harness) => tracks),
    said({ type: "upload.received", transcriptionId: "t1" }, ({ uploads }: Harness) => uploads),
  ],
  situation: (harness) => [
    selectFiles(snapshot(harness)).map(({ id, tracks, track }) => [id, tracks === undefined, track]),
    selectOptions(snapshot(harness)).title,
    harness.uploads.heard.length > 0,
    harness.environment.opened,
  ],
  rules: {
    "a file is there once": (harness) => new Set(ids(harness)).size === ids(harness).length,
    "nothing is started without a file": ({ uploads }) => uploads.heard.every((one) => one.files.length > 0),
    "a track is chosen only where there are several": ({ uploads, ...harness }) =>
      [...uploads.heard.flatMap(({ files }) => files), ...selectFiles(harness.actor.getSnapshot())].every(
        ({ track }) => track === undefined || track === 2,
      ),
    "a file is missed only where there is none": (harness) => !selectLacksFiles(snapshot(harness)) || ids(harness).length === 0,
    "the options that are shown are remembered": (harness) =>
      selectOptions(snapshot(harness)).title === harness.environment.title,
  },
  isLocal: "the uploads wait for the network",
});
