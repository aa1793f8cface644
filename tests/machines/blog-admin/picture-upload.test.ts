import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type Picture,
  type PictureUploadEmitted,
  pictureUploadMachine,
  selectMayRetry,
  selectPicture,
  selectPictureCode,
  selectPictureName,
  selectPictureState,
} from "#machines/blog-admin/picture-upload.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const placeholder: Picture = { url: "/placeholder.svg", width: 4, height: 3 };
const cat: Picture = { url: "/images/cat", width: 640, height: undefined };

function setUp({ size = 100, isImage = true } = {}) {
  const send = answering<Picture, { id: string }>();
  const machine = pictureUploadMachine.provide({ actors: { send: send.logic } });
  const input = { id: "p1", name: "cat.png", size, isImage, maxBytes: 100, placeholder };
  const actor = stopsAfterTest(createActor(machine, { input }));
  const emitted: PictureUploadEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const seen = () => [get(selectPictureState), get(selectPictureCode), get(selectMayRetry), get(selectPicture)];
  return { send, emitted, get, seen, actor };
}

describe("picture upload of a post", () => {
  test("uploads a picture and emits its address", async () => {
    const { send, emitted, seen, get } = setUp();
    expect([seen(), send.inputs(), get(selectPictureName)]).toEqual([["sending", null, false, null], [{ id: "p1" }], "cat.png"]);
    await send.last().resolve(cat);
    expect(seen()).toEqual(["arrived", null, false, cat]);
    expect(emitted).toEqual([{ type: "picture.arrived", picture: cat, isPlaceholder: false }]);
  });

  test.each([
    ["no picture", { isImage: false }, "notImage"],
    ["one byte too large", { size: 101 }, "tooLarge"],
  ])("does not send or retry a picture that is %s", (_, input, code) => {
    const { send, seen, actor } = setUp(input);
    actor.send({ type: "retry.requested" });
    expect([seen(), send.asked.length]).toEqual([["failed", code, false, null], 0]);
  });

  test.each([404, 0])("shows a placeholder when the server can't store the picture (%i), and retries", async (status) => {
    const { send, emitted, seen, actor } = setUp();
    await send.last().reject("notFound", { status });
    expect(seen()).toEqual(["placeholder", "notFound", true, placeholder]);
    expect(emitted).toEqual([{ type: "picture.arrived", picture: placeholder, isPlaceholder: true }]);
    actor.send({ type: "retry.requested" });
    expect(seen()[0]).toBe("sending");
    await send.last().resolve(cat);
    expect([seen(), emitted.length]).toEqual([["arrived", null, false, cat], 2]);
  });

  test.each([{ status: 413 }, { status: 500 }, {}])("shows why an upload was refused (%o) and allows a retry", async (more) => {
    const { send, emitted, seen, actor } = setUp();
    await send.last().reject("internal", more);
    expect([seen(), emitted]).toEqual([["failed", "internal", true, null], []]);
    actor.send({ type: "retry.requested" });
    expect(send.asked).toHaveLength(2);
  });

  test("aborts an upload that was canceled, and emits that", () => {
    const { send, emitted, actor } = setUp();
    actor.send({ type: "cancel.requested" });
    expect([send.last().signal.aborted, emitted]).toEqual([true, [{ type: "upload.cancelled" }]]);
  });
});
