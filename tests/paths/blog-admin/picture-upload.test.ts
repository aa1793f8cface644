import { createActor } from "xstate";
import { type Picture, pictureUploadMachine, selectMayRetry, selectPicture } from "#machines/blog-admin/picture-upload.ts";
import { answer, answered, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const placeholder: Picture = { url: "/images/placeholder.svg?1", width: 1200, height: 675 };
const uploaded: Picture = { url: "/blog/images/1", width: 10, height: 10 };

function prepare(stubs: Stubs) {
  const send = stubs.asking<Picture, { id: string }>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: pictureUploadMachine,
  prepare,
  starts: ["a picture", "too large", "no picture"],
  simple: true,
  moves: [
    answered(
      "it arrives",
      ({ send }: Harness) => send,
      () => uploaded,
    ),
    refused("there is no answer", ({ send }: Harness) => send, answer(0, "network")),
    refused("the server has no place for pictures", ({ send }: Harness) => send, answer(404, "notFound")),
    refused("the server refuses it", ({ send }: Harness) => send, answer(400, "notImage")),
    sent({ type: "retry.requested" }),
    sent({ type: "cancel.requested" }),
  ],
  situation: (harness) => [snapshot(harness).context.code, harness.emitted.at(-1)],
  rules: {
    "what is no picture, or too large, is never sent": (harness) => {
      const { isImage, size, maxBytes } = snapshot(harness).context;
      return (isImage && size <= maxBytes) || harness.send.times() === 0;
    },
    "a placeholder stands in only without an answer, or without a place": (harness) =>
      !snapshot(harness).matches("placeholder") || ["network", "notFound"].includes(snapshot(harness).context.code ?? ""),
    "what failed may be tried again, unless it would fail again": (harness) =>
      !snapshot(harness).matches("failed") ||
      selectMayRetry(snapshot(harness)) === (snapshot(harness).context.isImage && snapshot(harness).context.size <= 10),
    "what has arrived is emitted": (harness) =>
      !snapshot(harness).matches("arrived") || harness.emitted.at(-1) === selectPicture(snapshot(harness))?.url,
  },
});
