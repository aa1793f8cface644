import { createActor } from "xstate";
import type { CaptionedVideo, ExportContent } from "#contract/index.ts";
import { captionedMachine } from "#machines/video/captioned.ts";
import { selectCaptioned, selectIsMaking } from "#machines/video/selectors.ts";
import { answered, failure, outage, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const poll = stubs.asking<CaptionedVideo | null>();
  const request = stubs.asking<CaptionedVideo | null, { content: ExportContent }>();
  const drop = stubs.asking<void>();
  const download = stubs.asking<void>();
  const downloadSubtitles = stubs.asking<void>();
  const machine = captionedMachine.provide({
    actors: {
      poll: poll.logic,
      request: request.logic,
      drop: drop.logic,
      download: download.logic,
      downloadSubtitles: downloadSubtitles.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    poll,
    request,
    drop,
    download,
    downloadSubtitles,
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const video = (state: CaptionedVideo["state"]): CaptionedVideo => ({
  state,
  content: "both",
  fraction: 0,
  problem: null,
  undrawn: 0,
  expiresAt: null,
});
const calls = ["poll", "request", "drop", "download", "downloadSubtitles"] as const;

walkTests<Harness>({
  machine: captionedMachine,
  prepare,
  moves: [
    answered(
      "nobody has asked for one",
      ({ poll }: Harness) => poll,
      () => null,
    ),
    answered(
      "it is being made",
      ({ poll }: Harness) => poll,
      () => video("making"),
    ),
    answered(
      "it is there",
      ({ poll }: Harness) => poll,
      () => video("ready"),
    ),
    refused("the server says nothing of it", ({ poll }: Harness) => poll, failure("notFound")),
    outage(refused("there is no connection", ({ poll }: Harness) => poll, failure("network"))),
    answered(
      "it will be made",
      ({ request }: Harness) => request,
      () => video("waiting"),
    ),
    outage(refused("it will not be made", ({ request }: Harness) => request, failure("network"))),
    answered(
      "it is dropped",
      ({ drop }: Harness) => drop,
      () => undefined,
    ),
    outage(refused("it is not dropped", ({ drop }: Harness) => drop, failure("network"))),
    answered(
      "it is downloaded",
      ({ download }: Harness) => download,
      () => undefined,
    ),
    outage(refused("it is not downloaded", ({ download }: Harness) => download, failure("network"))),
    answered(
      "subtitles are downloaded",
      ({ downloadSubtitles }: Harness) => downloadSubtitles,
      () => undefined,
    ),
    outage(refused("subtitles are not", ({ downloadSubtitles }: Harness) => downloadSubtitles, failure("network"))),
    untilNextTimer,
    sent({ type: "video.requested", content: "both" }),
    sent({ type: "video.dropped" }),
    sent({ type: "download.requested" }),
    sent({ type: "subtitles.requested" }),
  ],
  situation: (harness) => {
    const { video: known, refusal } = snapshot(harness).context;
    return [known?.state ?? "none", refusal];
  },
  rules: {
    "one call at a time": (harness) => calls.reduce((sum, call) => sum + harness[call].open().length, 0) <= 1,
    "what is being made is not asked for once more": (harness) =>
      !selectIsMaking(snapshot(harness)) || !snapshot(harness).can({ type: "video.requested", content: "both" }),
    "only what is there is downloaded": (harness) =>
      selectCaptioned(snapshot(harness))?.state === "ready" || !snapshot(harness).can({ type: "download.requested" }),
  },
});
