import { createActor } from "xstate";
import { type Exporting, outputMachine } from "#machines/transcription/output.ts";
import { answered, failure, outage, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const exportFile = stage.asking<void, Exporting>();
  const copyText = stage.asking<void, { text: string }>();
  const downloadAudio = stage.asking<void>();
  const machine = outputMachine.provide({
    actors: { exportFile: exportFile.logic, copyText: copyText.logic, downloadAudio: downloadAudio.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const emitted: string[] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    return { actor, exportFile, copyText, downloadAudio, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const file = ({ exportFile }: Rig) => exportFile;
const audio = ({ downloadAudio }: Rig) => downloadAudio;
const text = ({ copyText }: Rig) => copyText;

walkTests<Rig>({
  machine: outputMachine,
  prepare,
  moves: [
    sent({ type: "export.requested", format: "docx", content: "translation" }),
    sent({ type: "copy.requested", text: "a text" }),
    sent({ type: "audio.requested" }),
    answered("the audio is on its way", audio, () => undefined),
    outage(refused("the audio is gone", audio, failure("notFound"))),
    answered("the file is there", file, () => undefined),
    outage(refused("the file can't be had", file, failure("internal"))),
    answered("it is copied", text, () => undefined),
    refused("it can't be copied", text, failure("internal")),
  ],
  situation: ({ emitted }) => emitted.at(-1),
  rules: {
    "nothing is exported or copied twice at once": (rig) =>
      rig.exportFile.open().length + rig.copyText.open().length + rig.downloadAudio.open().length <= 1,
    "the format and the texts are those that were asked for": ({ exportFile }) =>
      exportFile.open().every(({ input }) => input?.format === "docx" && input.content === "translation"),
  },
});
