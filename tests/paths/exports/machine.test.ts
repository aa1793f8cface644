import { createActor } from "xstate";
import {
  type ExportOptionsEmitted,
  type ExportOptionsEvent,
  exportsMachine,
  selectChoice,
  selectIsFlawed,
} from "#machines/exports/machine.ts";
import { columnsIn, isCaptions, usualChoice } from "#machines/exports/rules.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare() {
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(exportsMachine, { clock, inspect, input: { choice: usualChoice } });
    const wanted: ExportOptionsEmitted["wanted"][] = [];
    actor.on("file.wanted", (event) => wanted.push(event.wanted));
    return { actor, wanted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const choice = ({ actor }: Harness) => selectChoice(actor.getSnapshot());

walkTests<Harness>({
  machine: exportsMachine,
  isLocal: "It asks nothing of a server: what is wanted is another machine's to fetch.",
  prepare,
  moves: [
    sent<ExportOptionsEvent>({ type: "format.chosen", format: "srt" }),
    sent<ExportOptionsEvent>({ type: "format.chosen", format: "pdf" }, "a document is chosen"),
    sent<ExportOptionsEvent>({ type: "content.chosen", content: "original" }),
    sent<ExportOptionsEvent>({ type: "speakers.toggled" }),
    sent<ExportOptionsEvent>({ type: "times.toggled" }),
    sent<ExportOptionsEvent>({ type: "columns.typed", text: "x" }),
    sent<ExportOptionsEvent>({ type: "columns.typed", text: "30" }, "thirty columns are typed"),
    sent<ExportOptionsEvent>({ type: "lines.chosen", lines: 1 }),
    sent<ExportOptionsEvent>({ type: "file.requested" }),
    sent<ExportOptionsEvent>({ type: "dialog.closed" }),
  ],
  situation: (harness) => `${choice(harness).format} ${choice(harness).columns}`,
  rules: {
    "a flaw is one of a line's length": (harness) =>
      !selectIsFlawed(harness.actor.getSnapshot()) ||
      (isCaptions(choice(harness).format) && columnsIn(choice(harness).columns) === null),
    "no file has lines of another length than can be asked for": ({ wanted }) =>
      wanted.every(({ look }) => look.lineLength >= 20 && look.lineLength <= 80),
  },
});
