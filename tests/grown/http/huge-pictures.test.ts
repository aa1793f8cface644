import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { refusal, startTestServer, temporaryFolder } from "#tests/server/harness.ts";
import { everyWay, flatPng, type Picture, ways } from "#tests/server/http/pictures.ts";
import { startChild } from "#tests/server/jobs/spawned.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

// Decompression bombs of each picture format, with the memory of a process measured. Ordinary pictures:
// tests/server/http/pictures.test.ts.

/** MiB that the process had at most since `resetPeak`. */
async function peak(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, "5");

async function setUp() {
  const server = await startTestServer();
  return { server, person: await signUpSuperuser(server) };
}

/** A server in a process of its own, which has drawn a picture before: the library is loaded. */
async function setUpAlone() {
  const dataDir = await temporaryFolder();
  const server = { ...(await startChild(dataDir)), dataDir };
  const person = await signUpSuperuser(server);
  const small = await flatPng(300, 200);
  for (const [, send] of everyWay) expect((await send(server, person, small)).ok).toBe(true);
  return { server, person };
}

let huge: Picture;
let large: Picture;
beforeAll(async () => {
  huge = await flatPng(16_000, 16_000);
  large = await flatPng(6_300, 6_300);
});

describe("server's memory for pictures", () => {
  // PROMISE limits: Limits of bodies, files and pictures apply before anything is read
  test("holds no picture of 256 million pixels, whatever the format claims", async () => {
    const { server, person } = await setUpAlone();
    expect(huge.length).toBeLessThan(1_000_000);
    // The first one takes 244 MiB even as grey pixels.
    for (const [kind, picture, expected] of [["PNG", huge, /^413 tooLarge$/] as const, ...(await bombs())]) {
      for (const [way, send] of everyWay) {
        await resetPeak(server.pid);
        const before = await peak(server.pid);
        const answer = await send(server, person, picture);
        expect(answer.ok ? String(answer.status) : await refusal(answer), `${way}: ${kind}`).toMatch(expected);
        expect((await peak(server.pid)) - before, `${way}: ${kind}`).toBeLessThan(60);
      }
    }
  });

  test("holds one picture per person at a time", async () => {
    const { server, person } = await setUpAlone();
    await resetPeak(server.pid);
    const before = await peak(server.pid);
    const sent = everyWay.flatMap(([, send]) => Array.from({ length: 5 }, () => send(server, person, large)));
    for (const answer of await Promise.all(sent)) expect(answer.ok).toBe(true);
    // One takes 38 MiB in its own format and 151 MiB in color; ten would take 1,500.
    expect((await peak(server.pid)) - before).toBeLessThan(350);
  });
});

test("refuses some of eighty simultaneous pictures of one person, and continues", async () => {
  const { server, person } = await setUp();
  const send = ways["a person's picture"];
  const answers = await Promise.all(Array.from({ length: 80 }, () => send(server, person, large)));
  const refused = answers.filter(({ ok }) => !ok);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refusal(answer)).toBe("429 tooManyAtOnce");
  }
  expect((await send(server, person, large)).status).toBe(200);
});

const drawn = () => sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } });

/** The picture with these bytes at an offset. */
function patched(picture: Buffer, at: number, bytes: readonly number[]): Picture {
  const copy = Buffer.from(picture);
  copy.set(bytes, at);
  return copy;
}

/** Small pictures whose headers say that they are huge. */
async function bombs(): Promise<[kind: string, picture: Picture, refused: RegExp][]> {
  const [gif, jpeg, avif, webp] = [
    await drawn().gif().toBuffer(),
    await drawn().jpeg().toBuffer(),
    await drawn().avif().toBuffer(),
    await drawn().webp({ lossless: true }).toBuffer(),
  ];
  const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
  const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  const refused = /^(413 tooLarge|422 notImage)$/;
  return [
    ["JPEG", patched(jpeg, size, [0x7f, 0xff, 0x7f, 0xff]), /^413 tooLarge$/],
    ["AVIF", patched(avif, avif.indexOf("ispe") + 8, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]), refused],
    // Fourteen bits each for width and height.
    ["WebP", patched(webp, 21, [0xff, 0xff, 0xff, 0x0f]), refused],
    // Its content is small, so it may be accepted as it is.
    ["GIF", patched(gif, 6, [0xff, 0xff, 0xff, 0xff]), /^(200|201|413 tooLarge|422 notImage)$/],
    ["GIF's frame", patched(gif, frame + 5, [0xff, 0xff, 0xff, 0xff]), refused],
  ];
}
