import { createActor } from "xstate";
import {
  type StartCommand,
  selectFiles,
  selectLacksFiles,
  selectOptions,
  type UploadConfigEvent,
  uploadConfigMachine,
} from "#machines/uploads/config.ts";
import { options } from "#tests/machines/uploads/rig.ts";
import { said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const [first, second] = [
  { id: "a", name: "a.wav", size: 1 },
  { id: "b", name: "b.wav", size: 2 },
];

function prepare(stage: Stage) {
  const uploads = stage.callback<UploadConfigEvent, StartCommand>();
  let world = { title: "", opened: false };
  const machine = uploadConfigMachine.provide({
    actors: { uploads: uploads.logic },
    actions: {
      rememberLanguages: () => {},
      rememberDetails: (_, { title }) => {
        world.title = title;
      },
      dropFile: () => {},
      openTranscription: () => {
        world.opened = true;
      },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    world = { title: "", opened: false };
    const input = { speech: { languages: [] }, files: start === "a file was shared" ? [second] : [], options };
    return { actor: createActor(machine, { clock, inspect, input }), uploads, world };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const ids = (rig: Rig) => selectFiles(snapshot(rig)).map(({ id }) => id);

walkTests<Rig>({
  machine: uploadConfigMachine,
  prepare,
  starts: ["the page is opened", "a file was shared"],
  moves: [
    sent<UploadConfigEvent>({ type: "files.chosen", files: [first] }, "a file is chosen"),
    sent<UploadConfigEvent>({ type: "file.removed", id: "a" }),
    sent<UploadConfigEvent>({ type: "languages.changed", languages: { sourceLanguage: "de-DE", targetLanguage: null } }),
    sent<UploadConfigEvent>({ type: "details.changed", details: { title: "A", vocabulary: "", speakers: false } }),
    sent<UploadConfigEvent>({ type: "start.requested" }),
    said({ type: "upload.received", transcriptionId: "t1" }, ({ uploads }: Rig) => uploads),
  ],
  situation: (rig) => [ids(rig), selectOptions(snapshot(rig)).title, rig.uploads.heard.length > 0, rig.world.opened],
  rules: {
    "a file is there once": (rig) => new Set(ids(rig)).size === ids(rig).length,
    "nothing is started without a file": ({ uploads }) => uploads.heard.every((one) => one.ids.length > 0),
    "a file is missed only where there is none": (rig) => !selectLacksFiles(snapshot(rig)) || ids(rig).length === 0,
    "the options that are shown are remembered": (rig) => selectOptions(snapshot(rig)).title === rig.world.title,
  },
  isLocal: "the uploads wait for the network",
});
