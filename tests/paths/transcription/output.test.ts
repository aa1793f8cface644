import { createActor } from "xstate";
import { type Exporting, outputMachine } from "#machines/transcription/output.ts";
import { answered, failure, outage, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const exportFile = stubs.asking<void, Exporting>();
  const copyText = stubs.asking<void, { text: string }>();
  const downloadAudio = stubs.asking<void>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const file = ({ exportFile }: Harness) => exportFile;
const audio = ({ downloadAudio }: Harness) => downloadAudio;
const text = ({ copyText }: Harness) => copyText;

walkTests<Harness>({
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
    "nothing is exported or copied twice at once": (harness) =>
      harness.exportFile.open().length + harness.copyText.open().length + harness.downloadAudio.open().length <= 1,
    "the format and the texts are those that were asked for": ({ exportFile }) =>
      exportFile.open().every(({ input }) => input?.format === "docx" && input.content === "translation"),
  },
});
