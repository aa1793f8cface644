import { createActor } from "xstate";
import type { CaptionedVideo, ExportContent } from "#contract/index.ts";
import { captionedMachine } from "#machines/video/captioned.ts";
import { selectCaptioned, selectIsMaking } from "#machines/video/selectors.ts";
import { answered, failure, outage, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const look = stage.asking<CaptionedVideo | null>();
  const request = stage.asking<CaptionedVideo | null, { content: ExportContent }>();
  const drop = stage.asking<void>();
  const download = stage.asking<void>();
  const downloadSubtitles = stage.asking<void>();
  const machine = captionedMachine.provide({
    actors: {
      look: look.logic,
      request: request.logic,
      drop: drop.logic,
      download: download.logic,
      downloadSubtitles: downloadSubtitles.logic,
    },
  });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    look,
    request,
    drop,
    download,
    downloadSubtitles,
  });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const video = (state: CaptionedVideo["state"]): CaptionedVideo => ({
  state,
  content: "both",
  fraction: 0,
  problem: null,
  undrawn: 0,
  expiresAt: null,
});
const calls = ["look", "request", "drop", "download", "downloadSubtitles"] as const;

walkTests<Rig>({
  machine: captionedMachine,
  prepare,
  moves: [
    answered(
      "nobody has asked for one",
      ({ look }: Rig) => look,
      () => null,
    ),
    answered(
      "it is being made",
      ({ look }: Rig) => look,
      () => video("making"),
    ),
    answered(
      "it is there",
      ({ look }: Rig) => look,
      () => video("ready"),
    ),
    refused("the server says nothing of it", ({ look }: Rig) => look, failure("notFound")),
    outage(refused("there is no connection", ({ look }: Rig) => look, failure("network"))),
    answered(
      "it will be made",
      ({ request }: Rig) => request,
      () => video("waiting"),
    ),
    outage(refused("it will not be made", ({ request }: Rig) => request, failure("network"))),
    answered(
      "it is dropped",
      ({ drop }: Rig) => drop,
      () => undefined,
    ),
    outage(refused("it is not dropped", ({ drop }: Rig) => drop, failure("network"))),
    answered(
      "it is downloaded",
      ({ download }: Rig) => download,
      () => undefined,
    ),
    outage(refused("it is not downloaded", ({ download }: Rig) => download, failure("network"))),
    answered(
      "subtitles are downloaded",
      ({ downloadSubtitles }: Rig) => downloadSubtitles,
      () => undefined,
    ),
    outage(refused("subtitles are not", ({ downloadSubtitles }: Rig) => downloadSubtitles, failure("network"))),
    untilNextTimer,
    sent({ type: "video.requested", content: "both" }),
    sent({ type: "video.dropped" }),
    sent({ type: "download.requested" }),
    sent({ type: "subtitles.requested" }),
  ],
  situation: (rig) => {
    const { video: known, refusal } = snapshot(rig).context;
    return [known?.state ?? "none", refusal];
  },
  rules: {
    "one call at a time": (rig) => calls.reduce((sum, call) => sum + rig[call].open().length, 0) <= 1,
    "what is being made is not asked for once more": (rig) =>
      !selectIsMaking(snapshot(rig)) || !snapshot(rig).can({ type: "video.requested", content: "both" }),
    "only what is there is downloaded": (rig) =>
      selectCaptioned(snapshot(rig))?.state === "ready" || !snapshot(rig).can({ type: "download.requested" }),
  },
});
