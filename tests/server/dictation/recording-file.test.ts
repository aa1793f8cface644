import { join } from "node:path";
import { expect, test } from "vitest";
import { RecordingFile } from "#server/dictation/recording-file.ts";
import { temporaryFolder } from "#tests/server/harness.ts";

const frames = 400;
const frameBytes = 640;
const frameOf = (number: number) => Buffer.alloc(frameBytes, number % 251);

/** The frames of a block as other machines get it: each frame after its length. */
const blockOf = (from: number, to: number) =>
  Buffer.concat(
    Array.from({ length: to - from }, (_, i) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(frameBytes);
      return Buffer.concat([length, frameOf(from + i)]);
    }),
  );

test("a block contains the frames from the time of the request, although more are appended meanwhile", async () => {
  const file = await RecordingFile.open(join(await temporaryFolder(), "one"));
  const blocks: { from: number; to: number; block: Promise<Buffer> }[] = [];
  for (let number = 0; number < frames; number += 1) {
    const appended = file.append(frameOf(number));
    const [from, to] = [Math.max(0, file.frames - 5), file.frames];
    blocks.push({ from, to, block: file.blockFrom(from) });
    await appended;
  }
  for (const { from, to, block } of blocks) expect((await block).equals(blockOf(from, to))).toBe(true);
  await file.close();
});
