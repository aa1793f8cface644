import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CatalogueModel } from "#server/models/catalogue.ts";
import { type Manifest, manifestName } from "#server/models/manifest.ts";
import { openModelStore } from "#server/models/store.ts";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { until } from "#tests/fixtures/until.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { addedFolders, addedModels } from "./added.ts";

const whisper = "sherpa-onnx-whisper-tiny";
const entry: CatalogueModel = {
  id: whisper,
  purpose: "hearing",
  kind: "whisper",
  languages: ["de", "en"],
  detects: true,
  translatesSpeech: [],
  takesVocabulary: false,
  files: [],
  contents: [],
  diskBytes: 100,
  memoryBytes: 200,
  licence: "MIT",
};
const noLog = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

async function open(dataDir: string) {
  const store = await openModelStore({ dataDir, catalogue: [entry], log: noLog });
  onTestFinished(() => store.close());
  return store;
}

async function fill(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

const byHand = { "tiny-encoder.int8.onnx": "ab", "tiny-decoder.int8.onnx": "c", "tiny-tokens.txt": "a 0" };

/** Writes a model's folder as the installer does. */
async function install(dataDir: string, id: string, more: Partial<Manifest> = {}): Promise<string> {
  const folder = join(dataDir, "models", id);
  const files = { "model.int8.onnx": "abc", "tokens.txt": "a 0" };
  const manifest: Manifest = {
    version: 1,
    id,
    purpose: "hearing",
    kind: "senseVoice",
    languages: ["en"],
    check: "pinned",
    source: "catalogue",
    installedAt: "2026-03-01T12:00:00.000Z",
    files: Object.entries(files).map(([path, text]) => ({ path, bytes: text.length })),
    ...more,
  };
  await fill(`${folder}.new`, { ...files, [manifestName]: JSON.stringify(manifest) });
  await rename(`${folder}.new`, folder);
  return folder;
}

test("recognizes a folder unpacked by hand by its files and finds its entry in the catalog", async () => {
  const dataDir = await temporaryFolder();
  await fill(join(dataDir, "models", whisper), byHand);
  await fill(join(dataDir, "models", "my-whisper.en"), byHand);
  const store = await open(dataDir);
  expect(addedModels(store)).toMatchObject([
    { id: "my-whisper.en", kind: "whisper", languages: ["en"], entry: undefined, check: "none", bytes: 6 },
    { id: whisper, kind: "whisper", languages: ["de", "en"], entry: { id: whisper }, check: "none" },
  ]);
  expect(addedFolders(store)[0]).toMatchObject({ at: null, source: "byHand", fault: null });
  expect(store.find(whisper)?.folder).toBe(join(dataDir, "models", whisper));
});

test("the built-in model can't be removed or replaced by a folder", async () => {
  const dataDir = await temporaryFolder();
  await fill(join(dataDir, "models", "moonshine-tiny-en"), byHand);
  const store = await open(dataDir);
  expect(store.found()).toMatchObject([{ id: "moonshine-tiny-en", source: "builtIn", at: null, fault: null }]);
  expect(await readdir(store.find("moonshine-tiny-en")?.folder ?? "")).toContain("encoder_model.ort");
  await expect(store.remove("moonshine-tiny-en")).rejects.toMatchObject({ code: "conflict" });
  await using _held = await store.hold("moonshine-tiny-en");
});

test("ignores hidden folders, files and broken links, and reports folders without a valid model", async () => {
  const dataDir = await temporaryFolder();
  const models = join(dataDir, "models");
  for (const name of [".downloads", ".unpacking-x", "empty"]) await mkdir(join(models, name), { recursive: true });
  await fill(join(models, ".unpacking-y"), byHand);
  await writeFile(join(models, "file"), "x");
  await symlink(join(models, "nowhere"), join(models, "link"));
  await fill(join(models, whisper), { "model.onnx": "x", "tokens.txt": "", "sense-voice": "" });
  const store = await open(dataDir);
  expect(addedModels(store)).toEqual([]);
  expect(addedFolders(store).map(({ id, fault }) => [id, fault])).toEqual([
    ["empty", "it is empty"],
    [whisper, "its files belong to a senseVoice model, but its name says whisper"],
  ]);
});

test("checks an installed model's files against its manifest", async () => {
  const dataDir = await temporaryFolder();
  const folder = await install(dataDir, "tiny");
  const store = await open(dataDir);
  expect(addedModels(store)).toMatchObject([{ id: "tiny", kind: "senseVoice", languages: ["en"], check: "pinned" }]);
  expect(addedFolders(store)).toMatchObject([{ at: "2026-03-01T12:00:00.000Z", source: "catalogue" }]);
  await writeFile(join(folder, "model.int8.onnx"), "shorter, or longer");
  await store.rescan();
  expect(addedFolders(store)[0]?.fault).toBe("the size of model.int8.onnx has changed");
  await rm(join(folder, "model.int8.onnx"));
  await store.rescan();
  expect(addedFolders(store)[0]?.fault).toBe("model.int8.onnx is missing");
  await writeFile(join(folder, manifestName), '{"version":1}');
  await store.rescan();
  expect(addedFolders(store)[0]?.fault).toContain("is damaged");
  expect(addedModels(store)).toEqual([]);
});

test("notices models and choices that another process changes, and reports each change once", async () => {
  const dataDir = await temporaryFolder();
  const store = await open(dataDir);
  const changed = vi.fn();
  const end = store.onChange(changed);
  await install(dataDir, "tiny");
  await until(() => expect(addedModels(store).map(({ id }) => id)).toEqual(["tiny"]));
  const other = await open(dataDir);
  await other.setChoices({ live: { "de-DE": "tiny" }, files: {}, translation: {}, voices: {} });
  await until(() => expect(store.choices().live).toEqual({ "de-DE": "tiny" }));
  const times = changed.mock.calls.length;
  await store.rescan();
  expect(changed).toHaveBeenCalledTimes(times);
  end();
  await other.remove("tiny");
  await until(() => expect(addedModels(store)).toEqual([]));
  expect(changed).toHaveBeenCalledTimes(times);
  expect(await readdir(join(dataDir, "models"))).not.toContain("tiny");
});

test("keeps the choices when their file is damaged, and stores a model's speed", async () => {
  const dataDir = await temporaryFolder();
  await install(dataDir, "tiny");
  const store = await open(dataDir);
  await store.setChoices({ live: {}, files: { "en-US": "tiny" }, translation: {}, voices: {} });
  await writeFile(join(dataDir, "models", "choices.json"), "{");
  await store.rescan();
  expect(store.choices().files).toEqual({ "en-US": "tiny" });
  const speed = { factor: 0.2, threads: 2, at: "2026-03-01T12:00:00.000Z" };
  await store.noteSpeed("tiny", speed);
  expect(store.find("tiny")?.speed).toEqual(speed);
  expect((await open(dataDir)).find("tiny")?.speed).toEqual(speed);
  await expect(store.noteSpeed("../tiny", speed)).rejects.toThrow("is not the name of a model");
});

test("refuses to remove a model that any process holds, and ignores the holds of a dead process", async () => {
  const dataDir = await temporaryFolder();
  await install(dataDir, "tiny");
  const store = await open(dataDir);
  const other = await open(dataDir);
  {
    await using _held = await store.hold("tiny");
    expect(await other.isInUse("tiny")).toBe(true);
    await expect(store.remove("tiny")).rejects.toMatchObject({ code: "conflict" });
    await expect(other.remove("tiny")).rejects.toMatchObject({ code: "conflict" });
  }
  expect(await other.isInUse("tiny")).toBe(false);

  const program = `
    const { openModelStore } = await import("#server/models/store.ts");
    const store = await openModelStore({ dataDir: process.argv[1], catalogue: [], log: console });
    await store.hold("tiny");
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
    env: childEnv(),
  });
  await once(child.stdout, "data");
  await expect(store.remove("tiny")).rejects.toMatchObject({ code: "conflict" });
  child.kill("SIGKILL");
  await once(child, "exit");
  await store.remove("tiny");
  expect(store.find("tiny")).toBeUndefined();
  await expect(store.hold("tiny")).rejects.toThrow("No model");
  await expect(store.remove("tiny")).rejects.toMatchObject({ code: "notFound" });
  await expect(store.remove("../x")).rejects.toMatchObject({ code: "notFound" });
});

test("refuses to hold a model that is being removed", async () => {
  const dataDir = await temporaryFolder();
  const folder = await install(dataDir, "tiny");
  const store = await open(dataDir);
  // The store's scan has not noticed the removal yet.
  await rename(folder, join(dataDir, "models", ".removing-tiny-x"));
  await expect(store.hold("tiny")).rejects.toThrow("no longer installed");
  expect(await store.isInUse("tiny")).toBe(false);
});
