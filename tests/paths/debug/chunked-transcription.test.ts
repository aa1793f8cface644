import { createActor } from "xstate";
import { type ChunkReport, type ChunkRun, labChunksMachine, selectIsDone } from "#machines/debug/chunked-transcription.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const run: ChunkRun = { source: "fixture", seconds: 4, language: "en" };
const report = (index: number): ChunkReport => ({
  index,
  start: index * 4,
  seconds: 4,
  bytes: 128_044,
  uploaded: 5,
  finished: 9,
  text: "hello",
  code: null,
  raw: "{}",
});

function prepare(stage: Stage) {
  const cut = stage.asking<number, ChunkRun>();
  const sendChunk = stage.asking<ChunkReport, { run: ChunkRun; index: number }>();
  const machine = labChunksMachine.provide({ actors: { cut: cut.logic, sendChunk: sendChunk.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), cut, sendChunk });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const reports = (rig: Rig) => snapshot(rig).context.reports;
const cutting = ({ cut }: Rig) => cut;
const sending = ({ sendChunk }: Rig) => sendChunk;

walkTests<Rig>({
  machine: labChunksMachine,
  prepare,
  moves: [
    sent({ type: "run.requested", run }),
    sent({ type: "stop.requested" }),
    answered("the sound makes two chunks", cutting, () => 2),
    answered("there is no sound in it", cutting, () => 0),
    refused("the file is no sound", cutting, failure("notAudio")),
    answered("a chunk is done", sending, (_, input) => report(input?.index ?? 0)),
    refused("no chunk can be sent", sending, failure("unauthorized")),
    refused("nobody answers", sending, failure("network")),
  ],
  situation: (rig) => [reports(rig).length, snapshot(rig).context.count, snapshot(rig).context.code],
  rules: {
    "one thing at a time": ({ cut, sendChunk }) => cut.open().length + sendChunk.open().length <= 1,
    "the chunks go in their order": (rig) => rig.sendChunk.open().every(({ input }) => input?.index === reports(rig).length),
    "no more chunks than there are": (rig) => reports(rig).length <= snapshot(rig).context.count,
    "done is when all are": (rig) => !selectIsDone(snapshot(rig)) || reports(rig).length === snapshot(rig).context.count,
    "what failed says why": (rig) => snapshot(rig).matches("failed") === (snapshot(rig).context.code !== null),
  },
});
