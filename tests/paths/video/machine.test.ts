import { createActor } from "xstate";
import type { ExportContent } from "#contract/index.ts";
import { videoMachine } from "#machines/video/machine.ts";
import type { Picture } from "#machines/video/rules.ts";
import { selectCaptions, selectHasNoCaptions, selectIsThere } from "#machines/video/selectors.ts";
import { answered, failure, outage, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const poll = stubs.asking<Picture>();
  const showCaptions = stubs.asking<void, { captions: ExportContent }>();
  return ({ clock, inspect }: RunOptions) => {
    const removed = { times: 0 };
    const machine = videoMachine.provide({
      actors: { poll: poll.logic, showCaptions: showCaptions.logic },
      actions: {
        removeCaptions: () => {
          removed.times += 1;
        },
      },
    });
    const actor = createActor(machine, { clock, inspect, input: { captions: "original", hidden: false } });
    return { actor, poll, showCaptions, removed };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const polling = ({ poll }: Harness) => poll;
const captions = ({ showCaptions }: Harness) => showCaptions;
const picture = (state: Picture["state"]): Picture => ({ state, fraction: 0, problem: null });

walkTests<Harness>({
  machine: videoMachine,
  prepare,
  moves: [
    answered("browsers play it", polling, () => picture("original")),
    answered("it is being made", polling, () => picture("making")),
    answered("it could not be made", polling, () => picture("failed")),
    answered("there is none", polling, () => picture("none")),
    refused("it is gone", polling, failure("notFound")),
    outage(refused("there is no connection", polling, failure("network"))),
    answered("the captions are there", captions, () => undefined),
    refused("the captions can't be made", captions, failure("internal")),
    outage(refused("no connection for the captions", captions, failure("network"))),
    untilNextTimer,
    sent({ type: "captions.chosen", captions: "none" }, "no captions"),
    sent({ type: "captions.chosen", captions: "both" }, "both languages"),
    sent({ type: "picture.toggled" }),
    sent({ type: "text.changed" }),
    sent({ type: "sound.changed" }),
    sent({ type: "retry.requested" }),
  ],
  unreachable: { "video.captions.deciding: otherwise → video.captions.off": "who wants no captions begins so (machine.test.ts)" },
  situation: (harness) => {
    const { picture: known, captions: chosen } = snapshot(harness).context;
    return [known.state, chosen];
  },
  rules: {
    "one poll at a time, and none once it is there": (harness) =>
      harness.poll.open().length <= (selectIsThere(snapshot(harness)) ? 0 : 1),
    "one fetch of captions at a time, and none where none are wanted": (harness) =>
      harness.showCaptions.open().length <= (selectCaptions(snapshot(harness)) === "none" ? 0 : 1),
    "what failed can be tried again": (harness) =>
      !selectHasNoCaptions(snapshot(harness)) || snapshot(harness).can({ type: "retry.requested" }),
    "the picture can always be hidden": (harness) => snapshot(harness).can({ type: "picture.toggled" }),
  },
});
