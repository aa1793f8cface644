import { spawnSync } from "node:child_process";
import { type FileHandle, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { importModel } from "#server/models/import.ts";
import { sha256Of } from "#tests/fixtures/model-archive.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { addedModels } from "#tests/server/models/added.ts";
import { entryOf, noise, openHarness, startMirror, tinyArchive } from "#tests/server/models/harness.ts";
import { startInstalling } from "#tests/server/models/programs/start.ts";

// Mounts a disk of two megabytes and fills it; an ordinary installation: tests/server/models/installer.test.ts.

const id = "tiny";
const name = "tiny.tar.bz2";

/**
 * A command that starts a program with its data folder on a separate disk of two megabytes. It also works for a test
 * without the right to mount.
 */
const onSmallDisk = (folder: string) => [
  "unshare",
  "--user",
  "--map-root-user",
  "--mount",
  "sh",
  "-c",
  'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"',
  folder,
];

const [unshare = "", ...args] = onSmallDisk(import.meta.dirname);
const canMount = spawnSync(unshare, [...args, "true"]).status === 0;

async function archived() {
  const bytes = await tinyArchive();
  const archive = { name, urls: [`https://models.invalid/${name}`], bytes: bytes.length, sha256: sha256Of(bytes) };
  return { path: name, bytes, entry: entryOf(id, { archive }) };
}

/** A model of one file that is published with .gz. */
async function single() {
  const bytes = gzipSync(noise(300_000));
  const files = [
    { name: "embedding.onnx", urls: ["https://models.invalid/embedding.onnx.gz"], bytes: bytes.length, sha256: sha256Of(bytes) },
  ];
  const entry = entryOf(id, { purpose: "speakers", kind: "speakerEmbedding", archive: undefined, files });
  return { path: `${id}/embedding.onnx.gz`, bytes, entry };
}

describe.skipIf(!canMount)("model installation on a full disk", () => {
  const size = 2 * 1024 * 1024;

  test.each([
    ["in the middle of the transfer", 200_000, archived],
    ["while an archive is unpacked", 450_000, archived],
    ["while a single file is unpacked", 450_000, single],
  ])(
    "reports %s, leaves nothing half done, and offers a way on",
    async (_, room, published) => {
      const { path, bytes, entry } = await published();
      const mirror = await startMirror();
      mirror.put(path, bytes);
      const dataDir = await temporaryFolder();
      const order = { dataDir, entry, mirror: mirror.url, fillerBytes: size - room };
      const server = await startInstalling(order, { within: onSmallDisk(dataDir) });
      server.say("install");
      const full = { state: "failed", failure: "diskFull", detail: "The disk is full.", folders: [], models: [] };
      expect(await server.ended()).toMatchObject(full);
      // Another attempt, or another address, would not help.
      expect(mirror.requests).toHaveLength(1);

      server.say("makeRoom");
      server.say("install");
      expect(await server.ended()).toMatchObject({ state: "installed", failure: null, folders: [id], models: [id] });
      const ranges = mirror.requests.slice(1).map(({ range }) => range);
      expect(ranges).toEqual(room === 200_000 ? [expect.stringMatching(/^bytes=[1-9]\d+-$/)] : []);
    },
    30_000,
  );
});

/** The same without a separate disk: the system's error for a full one. */
const noSpace = () => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });

async function fileHandles(): Promise<FileHandle> {
  const path = join(await temporaryFolder(), "any");
  await writeFile(path, "");
  await using handle = await open(path);
  return Object.getPrototypeOf(handle);
}

test("ends a download that finds no space, and continues it at the next attempt", async () => {
  const { bytes, entry } = await archived();
  const mirror = await startMirror();
  mirror.put(name, bytes);
  const { install, store } = await openHarness([entry], mirror);
  const handles = await fileHandles();
  const { write } = handles;
  let writes = 0;
  const spy = vi.spyOn(handles, "write").mockImplementation(function (this: FileHandle, ...given: unknown[]) {
    writes += 1;
    return writes === 3 ? Promise.reject(noSpace()) : Reflect.apply(write, this, given);
  });
  onTestFinished(() => spy.mockRestore());
  expect(await install(id)).toMatchObject({ state: "failed", failure: "diskFull", detail: "The disk is full." });
  expect(mirror.requests).toHaveLength(1);
  expect(addedModels(store)).toEqual([]);
  expect(await install(id)).toMatchObject({ state: "installed" });
  expect(mirror.requests[1]?.range).toMatch(/^bytes=[1-9]/);
});

describe("imported model file on a full disk", () => {
  const start = async (freeBytes?: () => Promise<number>) => {
    const { bytes, entry } = await archived();
    const { installer, store } = await openHarness([entry], undefined);
    const parts = { installer, store, catalogue: [entry], ...(freeBytes !== undefined && { freeBytes }) };
    const halves = async function* () {
      yield bytes.subarray(0, 150_000);
      yield bytes.subarray(150_000);
    };
    const send = () => importModel(parts, { name, body: halves(), bytes: bytes.length });
    return { send, installer, left: () => readdir(store.folders.downloads) };
  };

  test("the imported model file on a full disk is refused before it is sent when there is too little space", async () => {
    const { send, left } = await start(async () => 100_000_000);
    await expect(send()).rejects.toMatchObject({ code: "storageFull" });
    expect(await left()).toEqual([]);
  });

  test("leaves nothing when the disk fills up during the upload, and may be sent again", async () => {
    const { send, installer, left } = await start();
    const handles = await fileHandles();
    const { writeFile: write } = handles;
    const spy = vi.spyOn(handles, "writeFile").mockImplementation(function (this: FileHandle, ...given: unknown[]) {
      const [piece] = given;
      const isSecond = Buffer.isBuffer(piece) && piece.length > 150_000;
      return isSecond ? Promise.reject(noSpace()) : Reflect.apply(write, this, given);
    });
    onTestFinished(() => spy.mockRestore());
    await expect(send()).rejects.toMatchObject({ code: "storageFull" });
    expect(await left()).toEqual([]);
    spy.mockRestore();
    expect(await send()).toMatchObject({ id });
    expect(await installer.settled(id)).toMatchObject({ state: "installed" });
  });
});
