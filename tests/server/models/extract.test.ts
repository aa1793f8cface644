import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { extractArchive } from "#server/models/extract.ts";
import { isWanted, safePath } from "#server/models/unpack-messages.ts";
import { archiveOf } from "#tests/fixtures/model-archive.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { smallBzip2 } from "./bzip2.ts";

const { bytes: bzip2 } = smallBzip2;

async function extract(bytes: Buffer, given?: string) {
  const folder = given ?? (await temporaryFolder());
  const staging = join(folder, "staging");
  await mkdir(staging);
  await writeFile(join(folder, "archive"), bytes);
  const limits = { entries: 10, unpackedBytes: 100_000, keptBytes: 100_000 };
  const task = { staging, archive: join(folder, "archive"), files: [], keep: null, contents: [], limits };
  await extractArchive(join(folder, "archive"), task, () => undefined);
  return join(staging, "tiny-pack");
}

const tokens = { name: "m/tokens.txt", content: "a 0\n" };

test.each([
  ["leads to a parent folder", [{ name: "../../evil", content: "x" }]],
  ["leads to a parent folder in the middle", [{ name: "m/../../../evil", content: "x" }]],
  ["has an absolute path", [{ name: "/etc/evil", content: "x" }]],
  ["has a Windows path", [{ name: "m\\..\\evil", content: "x" }]],
  ["has a symbolic link", [{ name: "m/link", type: "symlink", linkname: "/etc/passwd" }]],
  ["has a hard link", [{ name: "m/link", type: "link", linkname: "/etc/passwd" }]],
  ["has a device", [{ name: "m/null", type: "character-device" }]],
  ["names a file twice", [tokens, tokens]],
  ["names a file as a folder", [tokens, { name: "m/tokens.txt/x", content: "x" }]],
] as const)("refuses an archive that %s and writes nothing elsewhere", async (_, entries) => {
  const folder = await temporaryFolder();
  await expect(extract(await archiveOf(entries), folder)).rejects.toMatchObject({ failure: "hostile" });
  const left = await readdir(folder, { recursive: true });
  const expected = ["archive", "staging", join("staging", "m"), join("staging", "m", "tokens.txt")];
  expect(left.filter((path) => !expected.includes(path))).toEqual([]);
});

describe.each([
  ["the system's bzip2", undefined],
  ["the JavaScript bzip2, without the system's", "/nowhere"],
])("unpacking with %s", (_, path) => {
  test("unpacks an archive and refuses a damaged one", async () => {
    if (path !== undefined) vi.stubEnv("PATH", path);
    try {
      const folder = await extract(bzip2);
      expect((await readdir(folder)).sort()).toEqual(["model.int8.onnx", "tokens.txt"]);
      expect(await readFile(join(folder, "model.int8.onnx"), "utf8")).toBe("network");
      await expect(extract(bzip2.subarray(0, 150))).rejects.toMatchObject({ failure: "damaged" });
      const bent = Buffer.from(bzip2);
      bent[100] = (bent[100] ?? 0) ^ 0xff;
      await expect(extract(bent)).rejects.toMatchObject({ failure: "damaged" });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

test.each(["../x", "a/../../x", "/x", "C:/x", "a\\b", "a\0b", "a\nb", "", ".", "a/b/c/d/e/f/g/h/i", "x".repeat(300)])(
  "refuses the path %j",
  (name) => {
    expect(safePath(name)).toBeUndefined();
  },
);

test("splits a safe path into its parts and selects files by patterns", () => {
  expect(safePath("./a//b/model.onnx")).toEqual(["a", "b", "model.onnx"]);
  expect(isWanted("tiny-encoder.int8.onnx", ["*.int8.onnx", "*tokens.txt"])).toBe(true);
  expect(isWanted("tiny-encoder.onnx", ["*.int8.onnx", "*tokens.txt"])).toBe(false);
  expect(isWanted("test_wavs/0.wav", null)).toBe(false);
  expect(isWanted("espeak-ng-data/en_dict", null)).toBe(true);
});
