import { createActor } from "xstate";
import { type Picture, pictureUploadMachine, selectMayRetry, selectPicture } from "#machines/blog-admin/picture-upload.ts";
import { answer, answered, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const placeholder: Picture = { url: "/images/placeholder.svg?1", width: 1200, height: 675 };
const uploaded: Picture = { url: "/blog/images/1", width: 10, height: 10 };

function prepare(stage: Stage) {
  const send = stage.asking<Picture, { id: string }>();
  const machine = pictureUploadMachine.provide({ actors: { send: send.logic } });
  return ({ start, clock, inspect }: RunOptions) => {
    const size = start === "too large" ? 11 : 5;
    const input = { id: "1", name: "cat.png", size, isImage: start !== "no picture", maxBytes: 10, placeholder };
    const actor = createActor(machine, { clock, inspect, input });
    const emitted: string[] = [];
    actor.on("picture.arrived", ({ picture }) => emitted.push(picture.url));
    actor.on("upload.cancelled", () => emitted.push("cancelled"));
    return { actor, send, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: pictureUploadMachine,
  prepare,
  starts: ["a picture", "too large", "no picture"],
  simple: true,
  moves: [
    answered(
      "it arrives",
      ({ send }: Rig) => send,
      () => uploaded,
    ),
    refused("there is no answer", ({ send }: Rig) => send, answer(0, "network")),
    refused("the server has no place for pictures", ({ send }: Rig) => send, answer(404, "notFound")),
    refused("the server refuses it", ({ send }: Rig) => send, answer(400, "notImage")),
    sent({ type: "retry.requested" }),
    sent({ type: "cancel.requested" }),
  ],
  situation: (rig) => [snapshot(rig).context.code, rig.emitted.at(-1)],
  rules: {
    "what is no picture, or too large, is never sent": (rig) => {
      const { isImage, size, maxBytes } = snapshot(rig).context;
      return (isImage && size <= maxBytes) || rig.send.times() === 0;
    },
    "a placeholder stands in only without an answer, or without a place": (rig) =>
      !snapshot(rig).matches("placeholder") || ["network", "notFound"].includes(snapshot(rig).context.code ?? ""),
    "what failed may be tried again, unless it would fail again": (rig) =>
      !snapshot(rig).matches("failed") ||
      selectMayRetry(snapshot(rig)) === (snapshot(rig).context.isImage && snapshot(rig).context.size <= 10),
    "what has arrived is emitted": (rig) =>
      !snapshot(rig).matches("arrived") || rig.emitted.at(-1) === selectPicture(snapshot(rig))?.url,
  },
});
