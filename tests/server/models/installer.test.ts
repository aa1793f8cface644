import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { manifestName } from "#server/models/manifest.ts";
import type { ModelClient } from "#server/models/opening.ts";
import { ModelTrialError } from "#server/models/trial.ts";
import { archiveOf, sha256Of, tarOf } from "#tests/fixtures/model-archive.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { until } from "#tests/fixtures/until.ts";
import { addedFolders, addedModels } from "./added.ts";
import {
  clientWith,
  entryOf,
  hidden,
  installArchive as install,
  network,
  noise,
  openHarness,
  startMirror,
  tinyArchive,
} from "./harness.ts";

const id = "tiny";
const name = "tiny.tar.bz2";

async function pinned() {
  const bytes = await tinyArchive();
  const archive = { name, urls: [`https://models.invalid/${name}`], bytes: bytes.length, sha256: sha256Of(bytes) };
  return { bytes, entry: entryOf(id, { archive }) };
}

describe("installation of a model", () => {
  test("installs a model with only the wanted files and removes all temporary files", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const { install, store, tried, dataDir } = await openHarness([entry], mirror);
    expect(await install(id)).toMatchObject({ state: "installed", failure: null });
    expect(addedModels(store)).toMatchObject([
      { id, kind: "senseVoice", check: "pinned", entry: { id }, speed: { factor: 0.1 } },
    ]);
    expect(addedFolders(store)[0]).toMatchObject({ source: "catalogue", fault: null });
    expect((await readdir(join(dataDir, "models", id))).sort()).toEqual(["model.int8.onnx", manifestName, "tokens.txt"].sort());
    expect((await readFile(join(dataDir, "models", id, "model.int8.onnx"))).equals(network)).toBe(true);
    expect(tried).toMatchObject([{ kind: "senseVoice", purpose: "hearing", languages: ["en"] }]);
    expect(await readdir(join(dataDir, "models", ".downloads"))).toEqual([]);
    expect(await hidden(dataDir)).toEqual([]);
  });

  test("two requests start one installation, and an installed model is refused", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { pieceMs: 5 });
    const { installer, settled } = await openHarness([entry], mirror);
    const both = await Promise.all([installer.install(id), installer.install(id)]);
    expect(both.map(({ state }) => state)).toEqual([both[0].state, both[0].state]);
    await settled(id);
    expect(mirror.requests.filter(({ path }) => path === name)).toHaveLength(1);
    await expect(installer.install(id)).rejects.toMatchObject({ code: "conflict" });
    await expect(installer.install("unknown")).rejects.toMatchObject({ code: "notFound" });
    await expect(installer.pause(id)).rejects.toThrow("not possible");
    await expect(installer.pause("other")).rejects.toThrow("is not being installed");
  });

  test("installs single files by unpacking .gz, and checks each file's hash", async () => {
    const files = {
      "model.deen.intgemm.alphas.bin": noise(50_000),
      "lex.bin": Buffer.from("lex"),
      "vocab.deen.spm": Buffer.from("v"),
    };
    const mirror = await startMirror();
    const listed = Object.entries(files).map(([file, content]) => {
      const packed = gzipSync(content);
      mirror.put(`bergamot-de-en/${file}.gz`, packed);
      return { name: file, urls: [`https://models.invalid/${file}.gz`], bytes: packed.length, sha256: sha256Of(packed) };
    });
    const entry = entryOf("bergamot-de-en", { purpose: "translation", kind: "bergamot", archive: undefined, files: listed });
    const { install, store, dataDir } = await openHarness([entry], mirror);
    expect(await install("bergamot-de-en")).toMatchObject({ state: "installed" });
    expect(addedModels(store)).toMatchObject([{ kind: "bergamot", check: "pinned" }]);
    for (const [file, content] of Object.entries(files)) {
      expect((await readFile(join(dataDir, "models", "bergamot-de-en", file))).equals(content)).toBe(true);
    }
  });

  // PROMISE models: Every download needs a click, is compared, unpacked apart and tried
  test("records the check that a model passed: the release's list, the size or the files' hashes", async () => {
    const bytes = await tinyArchive();
    const mirror = await startMirror();
    const urls = ["https://models.invalid/x"];
    const inside = [{ name: "model.int8.onnx", bytes: network.length, sha256: sha256Of(network) }];
    const catalogue = [
      entryOf("listed", { archive: { name: "listed.tar.bz2", urls } }),
      entryOf("sized", { archive: { name: "sized.tar.bz2", urls, bytes: bytes.length } }),
      entryOf("known", { archive: { name: "known.tar.bz2", urls }, contents: inside }),
      entryOf("unknown", { archive: { name: "unknown.tar.bz2", urls } }),
    ];
    for (const each of catalogue) mirror.put(`${each.id}.tar.bz2`, bytes);
    mirror.put("checksum.txt", Buffer.from(`other.tar.bz2 ${"0".repeat(64)}\nlisted.tar.bz2\t${sha256Of(bytes)}\n`));
    const { install, store } = await openHarness(catalogue, mirror);
    for (const each of ["listed", "sized", "known"]) await install(each);
    expect(addedModels(store).map((model) => [model.id, model.check])).toEqual([
      ["known", "pinned"],
      ["listed", "release"],
      ["sized", "size"],
    ]);
    expect(await install("unknown")).toMatchObject({ state: "failed", detail: expect.stringContaining("models.invalid") });
  });
});

describe("download of a model", () => {
  // PROMISE models: An interrupted download goes on with the bytes on the disk
  test("resumes an interrupted download at the byte where it stopped", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { cutsAfter: 200_000 });
    const { install } = await openHarness([entry], mirror);
    expect(await install(id)).toMatchObject({ state: "installed" });
    const asked = mirror.requests.filter(({ path }) => path === name);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked[1]?.range).toMatch(/^bytes=[1-9]\d+-$/);
    expect(asked.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(bytes.length + 100_000);
  });

  test.each([
    ["the server ignores ranges", { ignoresRange: true }],
    ["the server sends no version", { hasNoValidator: true }],
    ["the server sends no size", { isChunked: true }],
  ])("restarts a download from the beginning when %s", async (_, faults) => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { ...faults, cutsAfter: 100_000 });
    const { installer, settled, store } = await openHarness([entry], mirror);
    await installer.install(id);
    await until(() => expect(mirror.requests.length).toBeGreaterThan(0));
    mirror.put(name, bytes, faults);
    expect(await settled(id)).toMatchObject({ state: "installed" });
    expect(addedModels(store)).toHaveLength(1);
  });

  test("restarts a download when the file has changed on the server", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, noise(bytes.length), { cutsAfter: 100_000 });
    const { installer, settled } = await openHarness([entry], mirror);
    await installer.install(id);
    await until(() => expect(mirror.requests.length).toBeGreaterThan(0));
    mirror.put(name, bytes);
    expect(await settled(id)).toMatchObject({ state: "installed" });
  });

  test("reports that it retries while there is no connection", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { status: 503 });
    const { installer, settled } = await openHarness([entry], mirror, { clock: undefined });
    await installer.install(id);
    await until(() => expect(installer.find(id)).toMatchObject({ state: "downloading", isRetrying: true }));
    mirror.put(name, bytes);
    expect(await settled(id)).toMatchObject({ state: "installed" });
    expect(installer.find(id)).not.toHaveProperty("isRetrying");
  });

  test("retries a download that stalls", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { stallsAfter: 100_000 });
    const { installer, settled } = await openHarness([entry], mirror, { client: clientWith({}, 300) });
    await installer.install(id);
    await vi.waitFor(() => expect(mirror.requests.length).toBeGreaterThan(1), timeLimit(50_000));
    expect(mirror.requests[1]?.range).toMatch(/^bytes=/);
    mirror.put(name, bytes);
    expect(await settled(id)).toMatchObject({ state: "installed" });
  });

  test("resumes a download after the server was killed, and keeps a paused one paused", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { stallsAfter: 128 * 1024 });
    const first = await openHarness([entry], mirror);
    await first.installer.install(id);
    const download = join(first.dataDir, "models", ".downloads", id, name);
    await until(async () => expect((await stat(download)).size).toBe(128 * 1024));
    await first.close();
    mirror.put(name, bytes);
    mirror.requests.length = 0;
    const second = await openHarness([entry], mirror, { dataDir: first.dataDir });
    expect(await second.settled(id)).toMatchObject({ state: "installed" });
    expect(mirror.requests).toEqual([{ path: name, range: `bytes=${128 * 1024}-`, sent: bytes.length - 128 * 1024 }]);

    await second.store.remove(id);
    mirror.put(name, bytes, { stallsAfter: 64 * 1024 });
    await second.installer.install(id);
    await until(async () => expect((await stat(download)).size).toBe(64 * 1024));
    expect((await second.installer.pause(id)).state).toBe("paused");
    await second.close();
    const third = await openHarness([entry], mirror, { dataDir: first.dataDir });
    expect(third.installer.find(id)).toMatchObject({ state: "paused" });
    mirror.put(name, bytes, { pieceMs: 50 });
    await third.installer.resume(id);
    // After a kill now, the next start would resume the download.
    expect(JSON.parse(await readFile(join(third.store.folders.downloads, id, ".parlance.json"), "utf8"))).toEqual({
      wanted: "running",
    });
    expect(await third.settled(id)).toMatchObject({ state: "installed" });
  });

  test("a canceled download leaves no files", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, { stallsAfter: 64 * 1024 });
    const { installer, settled, dataDir } = await openHarness([entry], mirror);
    await installer.install(id);
    await until(() => expect(mirror.requests.length).toBeGreaterThan(0));
    installer.cancel(id);
    expect(await settled(id)).toMatchObject({ state: "cancelled" });
    await until(async () => expect(await readdir(join(dataDir, "models", ".downloads"))).toEqual([]));
  });

  test.each([
    ["is gone", { status: 404 }, "gone"],
    ["leads to another scheme", { location: "ftp://models.invalid/x" }, "gone"],
    ["leads into this server's own network", { location: "https://127.0.0.2/x" }, "gone"],
    ["leads elsewhere without encryption", { location: "http://models.invalid/x" }, "gone"],
    ["leads to itself", { location: `/${name}` }, "gone"],
    ["has more bytes than published", { sendsInstead: noise(8_000_000) }, "mismatch"],
    ["sends more bytes than published without a size", { sendsInstead: noise(8_000_000), isChunked: true }, "mismatch"],
  ])("a download fails when its address %s", async (_, faults, failure) => {
    const { bytes } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, faults);
    const { open } = clientWith();
    // The catalogue's own addresses come after the mirror, and their failure would be the last one.
    const client: ModelClient = {
      open: (address, isMirror, ...rest) => {
        if (isMirror) return open(address, isMirror, ...rest);
        return open(`${mirror.url}/${name}`, true, ...rest);
      },
    };
    const entry = entryOf(id, { archive: { name, urls: [`https://models.invalid/${name}`], bytes: bytes.length } });
    const { install, dataDir } = await openHarness([entry], mirror, { client });
    expect(await install(id)).toMatchObject({ state: "failed", failure });
    // The download stores no bytes beyond the published size.
    const taken = await stat(join(dataDir, "models", ".downloads", id, name)).catch(() => ({ size: 0 }));
    expect(taken.size).toBeLessThanOrEqual(bytes.length);
  });

  test("refuses a catalog address in a private network", async () => {
    const archive = (url: string) => ({ name, urls: [url], bytes: 1 });
    const { install } = await openHarness([entryOf(id, { archive: archive("https://127.0.0.3/x") })], undefined);
    expect(await install(id)).toMatchObject({
      failure: "gone",
      detail: expect.stringMatching(/^127\.0\.0\.3\/x: .* private network/),
    });
  });

  // PROMISE models: Every download needs a click, is compared, unpacked apart and tried
  test("discards a download with a wrong hash and tries another source", async () => {
    const { bytes } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const files = { "model.onnx": noise(20_000), "tokens.txt": Buffer.from("a 0\n") };
    for (const [file, content] of Object.entries(files)) mirror.put(`${id}/${file}`, content);
    const listed = Object.entries(files).map(([file, content]) => ({
      name: file,
      urls: [`https://models.invalid/${file}`],
      bytes: content.length,
      sha256: sha256Of(content),
    }));
    const archive = { name, urls: [`https://models.invalid/${name}`], bytes: bytes.length, sha256: "0".repeat(64) };
    const entry = entryOf("sense-voice-tiny", { archive, files: listed });
    for (const [file, content] of Object.entries(files)) mirror.put(`sense-voice-tiny/${file}`, content);
    const { install, dataDir } = await openHarness([entry], mirror);
    expect(await install("sense-voice-tiny")).toMatchObject({ state: "installed", detail: null });
    expect(await readdir(join(dataDir, "models", "sense-voice-tiny"))).toContain("model.onnx");
  });

  test("fails before the download when the disk has too little space", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const { install } = await openHarness([entry], mirror, { freeBytes: async () => 100_000_000 });
    expect(await install(id)).toMatchObject({
      state: "failed",
      failure: "diskFull",
      detail: expect.stringContaining("but only 100 MB are free"),
    });
    expect(mirror.requests[0]?.sent ?? 0).toBeLessThan(bytes.length + 1);
  });
});

describe("archive of a model", () => {
  const tokens = { name: "m/tokens.txt", content: "a 0\n" };

  // Other refused archives are in extract.test.ts.
  test("refuses an archive with a path outside of its folder and keeps nothing", async () => {
    const entries = [tokens, { name: "../../evil", content: "x" }];
    expect(await install(await archiveOf(entries))).toMatchObject({ state: "failed", failure: "hostile" });
  });

  test("reports a truncated or invalid archive as damaged", async () => {
    const whole = await tinyArchive();
    expect(await install(whole.subarray(0, 200_000))).toMatchObject({ state: "failed", failure: "damaged" });
    expect(await install(noise(10_000))).toMatchObject({ state: "failed", failure: "damaged" });
    const half = (await tarOf([tokens, { name: "m/model.onnx", content: noise(50_000) }])).subarray(0, 30_000);
    expect(await install(Buffer.from(half))).toMatchObject({ state: "failed", failure: "damaged" });
  });

  test("refuses an archive of another kind than the catalog says", async () => {
    const whisper = ["m/tiny-encoder.onnx", "m/tiny-decoder.onnx", "m/tiny-tokens.txt"];
    const bytes = await archiveOf(whisper.map((each) => ({ name: each, content: "x" })));
    expect(await install(bytes)).toMatchObject({
      failure: "wrongKind",
      detail: expect.stringContaining("belong to a whisper model"),
    });
    expect(await install(await archiveOf([tokens]))).toMatchObject({ failure: "wrongKind" });
  });

  test("refuses an archive whose files have other hashes than published", async () => {
    const contents = [{ name: "model.int8.onnx", bytes: network.length, sha256: "0".repeat(64) }];
    expect(await install(await tinyArchive(), { contents })).toMatchObject({ failure: "mismatch" });
    const missing = [{ name: "absent.onnx", sha256: "0".repeat(64) }];
    expect(await install(await tinyArchive(), { contents: missing })).toMatchObject({ failure: "mismatch" });
  });
});

describe("trial of a model", () => {
  // PROMISE models: Every download needs a click, is compared, unpacked apart and tried
  test.each(["unusable", "memory", "wrongKind"] as const)("a failed trial (%s) prevents the installation", async (failure) => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const { install, store, dataDir } = await openHarness([entry], mirror, {
      tryModel: () => Promise.reject(new ModelTrialError(failure, "It said nothing.")),
    });
    expect(await install(id)).toMatchObject({ state: "failed", failure, detail: "It said nothing." });
    await store.rescan();
    expect(addedFolders(store)).toEqual([]);
    await until(async () => expect(await hidden(dataDir)).toEqual([]));
  });

  test("canceling the installation stops the trial", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const { installer, settled, store } = await openHarness([entry], mirror, {
      tryModel: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    await installer.install(id);
    await vi.waitFor(() => expect(installer.find(id)?.state).toBe("trying"), timeLimit(50_000));
    installer.cancel(id);
    expect(await settled(id)).toMatchObject({ state: "cancelled" });
    expect(addedModels(store)).toEqual([]);
  });
});

test("does not install a model that another process installs, and removes a dead process's files", async () => {
  const { bytes, entry } = await pinned();
  const mirror = await startMirror();
  mirror.put(name, bytes, { stallsAfter: 64 * 1024 });
  const first = await openHarness([entry], mirror);
  await first.installer.install(id);
  await until(() => expect(mirror.requests.length).toBeGreaterThan(0));
  const second = await openHarness([entry], mirror, { dataDir: first.dataDir, resumes: false });
  expect(await second.install(id)).toMatchObject({ state: "failed", detail: "Another process is installing it." });
  await first.close();
  await second.close();
  await writeFile(join(first.dataDir, "models", ".unpacking-old"), "x");
  const third = await openHarness([entry], mirror, { dataDir: first.dataDir, resumes: false });
  expect(await hidden(third.dataDir)).toEqual([]);
});
