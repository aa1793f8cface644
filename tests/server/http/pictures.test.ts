import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { ImageAnswer, UserProfile } from "#contract/index.ts";
import { read, refusal, startTestServer } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { everyWay, flatPng, ways } from "./pictures.ts";

async function setUp() {
  const server = await startTestServer();
  return { server, person: await signUpSuperuser(server) };
}

const drawn = () => sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } });

describe.each(everyWay)("%s", (_, send) => {
  test.each([
    ["an SVG drawing", async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["a TIFF", async () => Buffer.from(await drawn().tiff().toBuffer())],
    ["a truncated PNG", async () => Buffer.from((await flatPng(300, 200)).subarray(0, 80))],
  ])("refuses a picture that is %s", async (_kind, make) => {
    const { server, person } = await setUp();
    expect(await refusal(await send(server, person, await make()))).toBe("422 notImage");
  });

  test("turns an animated upload into a still picture", async () => {
    const { server, person } = await setUp();
    const frames = await Promise.all(["red", "blue"].map((colour) => drawn().tint(colour).png().toBuffer()));
    for (const kind of ["gif", "webp"] as const) {
      const moving = await sharp(frames, { join: { animated: true } })
        .toFormat(kind)
        .toBuffer();
      expect((await sharp(moving).metadata()).pages).toBe(2);
      const about = await sharp(await shown(server, await send(server, person, Buffer.from(moving)))).metadata();
      expect([about.format, about.pages ?? 1]).toEqual(["webp", 1]);
    }
  });
});

test("turns a person's picture upright and cuts it to a square", async () => {
  const { server, person } = await setUp();
  const blue = await sharp({ create: { width: 40, height: 80, channels: 3, background: "blue" } })
    .png()
    .toBuffer();
  // The photo's left half is blue. Its orientation tag turns it, so that the upper half is blue.
  const photo = await sharp({ create: { width: 80, height: 80, channels: 3, background: "red" } })
    .composite([{ input: blue, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const sent = await ways["a person's picture"](server, person, Buffer.from(photo));
  const { data, info } = await sharp(await shown(server, sent))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([256, 256]);
  const isBlue = (x: number, y: number) => (data[(y * 256 + x) * info.channels + 2] ?? 0) > 128;
  expect([isBlue(20, 20), isBlue(235, 20), isBlue(20, 235), isBlue(235, 235)]).toEqual([true, true, false, false]);
});

/** The stored picture that the server shows. */
async function shown(server: { apiUrl: string }, answer: Response): Promise<Buffer> {
  const url =
    answer.status === 201
      ? (await read(answer, 201, ImageAnswer)).imageUrl
      : `${server.apiUrl}${(await read(answer, 200, UserProfile)).avatar_url}`;
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
