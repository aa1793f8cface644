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

describe("an installation", () => {
  test("is a model in the end, with the files that are wanted, and nothing else stays", async () => {
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

  test("is the same for two who ask, and refused for what is here", async () => {
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
    await expect(installer.pause(id)).rejects.toThrow("can't be done");
    await expect(installer.pause("other")).rejects.toThrow("Nothing of this model");
  });

  test("of files one by one takes .gz off, and is checked by each file's hash", async () => {
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
  test("says which check it has passed: the release's list, the size alone, or the hashes of what is in the archive", async () => {
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

describe("a download", () => {
  // PROMISE models: An interrupted download goes on with the bytes on the disk
  test("that is cut goes on with the byte where it was cut", async () => {
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
    ["the server knows no ranges", { ignoresRange: true }],
    ["the server says no version", { hasNoValidator: true }],
    ["the server says no size", { isChunked: true }],
  ])("begins anew where it must: %s", async (_, faults) => {
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

  test("that is another file by now begins anew, and mixes nothing", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, noise(bytes.length), { cutsAfter: 100_000 });
    const { installer, settled } = await openHarness([entry], mirror);
    await installer.install(id);
    await until(() => expect(mirror.requests.length).toBeGreaterThan(0));
    mirror.put(name, bytes);
    expect(await settled(id)).toMatchObject({ state: "installed" });
  });

  test("says that it tries again while it has no connection", async () => {
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

  test("that stands still is tried again", async () => {
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

  test("goes on with the bytes on the disk after the server was killed, and stays paused when it was paused", async () => {
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
    // Killed now, it would go on after the next start.
    expect(JSON.parse(await readFile(join(third.store.folders.downloads, id, ".parlance.json"), "utf8"))).toEqual({
      wanted: "running",
    });
    expect(await third.settled(id)).toMatchObject({ state: "installed" });
  });

  test("cancelled, leaves nothing", async () => {
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
    ["that is gone", { status: 404 }, "gone"],
    ["that leads to another scheme", { location: "ftp://models.invalid/x" }, "gone"],
    ["that leads into this server's own network", { location: "https://127.0.0.2/x" }, "gone"],
    ["that leads elsewhere without encryption", { location: "http://models.invalid/x" }, "gone"],
    ["that leads on and on", { location: `/${name}` }, "gone"],
    ["that has more than was published", { sendsInstead: noise(8_000_000) }, "mismatch"],
    ["that turns out to have more than was published", { sendsInstead: noise(8_000_000), isChunked: true }, "mismatch"],
  ])("from an address %s has failed", async (_, faults, failure) => {
    const { bytes } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes, faults);
    const { open } = clientWith();
    // The catalogue's own addresses are asked after the mirror: what they say would be the last failure.
    const client: ModelClient = {
      open: (address, isMirror, ...rest) => {
        if (isMirror) return open(address, isMirror, ...rest);
        return open(`${mirror.url}/${name}`, true, ...rest);
      },
    };
    const entry = entryOf(id, { archive: { name, urls: [`https://models.invalid/${name}`], bytes: bytes.length } });
    const { install, dataDir } = await openHarness([entry], mirror, { client });
    expect(await install(id)).toMatchObject({ state: "failed", failure });
    // The bytes that were too many were not taken.
    const taken = await stat(join(dataDir, "models", ".downloads", id, name)).catch(() => ({ size: 0 }));
    expect(taken.size).toBeLessThanOrEqual(bytes.length);
  });

  test("is refused from the catalogue's own address in a private network, and without encryption", async () => {
    const archive = (url: string) => ({ name, urls: [url], bytes: 1 });
    const { install } = await openHarness([entryOf(id, { archive: archive("https://127.0.0.3/x") })], undefined);
    expect(await install(id)).toMatchObject({
      failure: "gone",
      detail: expect.stringMatching(/^127\.0\.0\.3\/x: .* private network/),
    });
  });

  // PROMISE models: Every download needs a click, is compared, unpacked apart and tried
  test("with another hash is thrown away, and another source asked", async () => {
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

  test("is not begun when the disk has too little space, and ends before it is full", async () => {
    const { bytes, entry } = await pinned();
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const { install } = await openHarness([entry], mirror, { freeBytes: async () => 100_000_000 });
    expect(await install(id)).toMatchObject({
      state: "failed",
      failure: "diskFull",
      detail: expect.stringContaining("MB are needed"),
    });
    expect(mirror.requests[0]?.sent ?? 0).toBeLessThan(bytes.length + 1);
  });
});

describe("an archive", () => {
  const tokens = { name: "m/tokens.txt", content: "a 0\n" };

  // What else is refused: extract.test.ts.
  test("that leads out of its folder is refused, and nothing of it stays", async () => {
    const entries = [tokens, { name: "../../evil", content: "x" }];
    expect(await install(await archiveOf(entries))).toMatchObject({ state: "failed", failure: "hostile" });
  });

  test("that ends early, or is none, is damaged", async () => {
    const whole = await tinyArchive();
    expect(await install(whole.subarray(0, 200_000))).toMatchObject({ state: "failed", failure: "damaged" });
    expect(await install(noise(10_000))).toMatchObject({ state: "failed", failure: "damaged" });
    const half = (await tarOf([tokens, { name: "m/model.onnx", content: noise(50_000) }])).subarray(0, 30_000);
    expect(await install(Buffer.from(half))).toMatchObject({ state: "failed", failure: "damaged" });
  });

  test("of another kind than the catalogue says is refused", async () => {
    const whisper = ["m/tiny-encoder.onnx", "m/tiny-decoder.onnx", "m/tiny-tokens.txt"];
    const bytes = await archiveOf(whisper.map((each) => ({ name: each, content: "x" })));
    expect(await install(bytes)).toMatchObject({ failure: "wrongKind", detail: expect.stringContaining("of a whisper model") });
    expect(await install(await archiveOf([tokens]))).toMatchObject({ failure: "wrongKind" });
  });

  test("whose files have other hashes than published is refused", async () => {
    const contents = [{ name: "model.int8.onnx", bytes: network.length, sha256: "0".repeat(64) }];
    expect(await install(await tinyArchive(), { contents })).toMatchObject({ failure: "mismatch" });
    const missing = [{ name: "absent.onnx", sha256: "0".repeat(64) }];
    expect(await install(await tinyArchive(), { contents: missing })).toMatchObject({ failure: "mismatch" });
  });
});

describe("a trial", () => {
  // PROMISE models: Every download needs a click, is compared, unpacked apart and tried
  test.each(["unusable", "memory", "wrongKind"] as const)(
    "that fails (%s) keeps it from being called installed",
    async (failure) => {
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
    },
  );

  test("can be called off", async () => {
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

test("what another process installs is not installed twice, and what a dead one was unpacking is removed", async () => {
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
