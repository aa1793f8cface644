import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ModelKind } from "#contract/index.ts";
import { createTryModel } from "#server/processes/try-model.ts";
import { tinyEmbedding, tinySegmentation, writeTinySpeakers } from "#tests/fixtures/tiny-speakers.ts";
import { temporaryFolder } from "#tests/server/harness.ts";

const tryModel = createTryModel(() => Date.parse("2026-01-02T00:00:00Z"));
const signal = new AbortController().signal;
const tryOut = (folder: string, kind: ModelKind, given = signal) =>
  tryModel({ folder, kind, purpose: "speakers", languages: [] }, given);

async function folderWith(name: string, bytes: Buffer): Promise<string> {
  const folder = join(await temporaryFolder(), "model");
  await mkdir(folder);
  await writeFile(join(folder, name), bytes);
  return folder;
}

describe("the trial of a speaker model", () => {
  test.each(["speakerSegmentation", "speakerEmbedding"] as const)(
    "measures a %s model with a real voice beside a stand-in for the other half",
    async (kind) => {
      const folder = await temporaryFolder();
      await writeTinySpeakers(folder);
      const { speed } = await tryOut(join(folder, kind), kind);
      expect(speed).toMatchObject({ factor: expect.any(Number), at: "2026-01-02T00:00:00.000Z" });
      expect(speed?.factor).toBeGreaterThan(0);
    },
  );

  test.each([
    ["no network", "speakerSegmentation", Buffer.from("network")],
    ["the other half", "speakerSegmentation", tinyEmbedding()],
    ["the other half", "speakerEmbedding", tinySegmentation()],
    ["half a file", "speakerEmbedding", tinyEmbedding().subarray(0, 500)],
  ] as const)("refuses %s as a model (%s)", async (_, kind, bytes) => {
    await expect(tryOut(await folderWith("model.onnx", bytes), kind)).rejects.toMatchObject({ failure: "unusable" });
  });

  test("refuses a folder without a network and a model that isn't for speakers", async () => {
    const folder = await folderWith("README.md", Buffer.from("read me"));
    await expect(tryOut(folder, "speakerEmbedding")).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(tryOut(folder, "whisper")).rejects.toMatchObject({ failure: "wrongKind" });
  });

  test("stops the trial when it is aborted", async () => {
    const folder = await temporaryFolder();
    await writeTinySpeakers(folder);
    const reason = new Error("called off");
    await expect(tryOut(join(folder, "speakerEmbedding"), "speakerEmbedding", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test("keeps the stand-in assets equal to the generated models", async () => {
  const assets = new URL("../../../server/speech/assets/", import.meta.url);
  expect((await readFile(new URL("stand-in-segmentation.onnx", assets))).equals(tinySegmentation())).toBe(true);
  expect((await readFile(new URL("stand-in-embedding.onnx", assets))).equals(tinyEmbedding())).toBe(true);
});
