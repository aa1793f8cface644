import { createActor } from "xstate";
import {
  type ChunkReport,
  type ChunkRun,
  chunkedTranscriptionMachine,
  selectIsDone,
} from "#machines/debug/chunked-transcription.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
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

function prepare(stubs: Stubs) {
  const cut = stubs.asking<number, ChunkRun>();
  const sendChunk = stubs.asking<ChunkReport, { run: ChunkRun; index: number }>();
  const machine = chunkedTranscriptionMachine.provide({ actors: { cut: cut.logic, sendChunk: sendChunk.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), cut, sendChunk });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const reports = (harness: Harness) => snapshot(harness).context.reports;
const cutting = ({ cut }: Harness) => cut;
const sending = ({ sendChunk }: Harness) => sendChunk;

walkTests<Harness>({
  machine: chunkedTranscriptionMachine,
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
  situation: (harness) => [reports(harness).length, snapshot(harness).context.count, snapshot(harness).context.code],
  rules: {
    "one thing at a time": ({ cut, sendChunk }) => cut.open().length + sendChunk.open().length <= 1,
    "the chunks go in their order": (harness) =>
      harness.sendChunk.open().every(({ input }) => input?.index === reports(harness).length),
    "no more chunks than there are": (harness) => reports(harness).length <= snapshot(harness).context.count,
    "done is when all are": (harness) =>
      !selectIsDone(snapshot(harness)) || reports(harness).length === snapshot(harness).context.count,
    "what failed says why": (harness) => snapshot(harness).matches("failed") === (snapshot(harness).context.code !== null),
  },
});
