import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { expect, onTestFinished } from "vitest";
import type { Installation } from "#contract/index.ts";
import type { Log } from "#server/log/log.ts";
import { CatalogueModel } from "#server/models/catalogue.ts";
import { type InstallerOptions, openInstaller } from "#server/models/installer.ts";
import { downloadTimes, openModelClient } from "#server/models/opening.ts";
import { openModelStore } from "#server/models/store.ts";
import type { TrialCandidate } from "#server/models/trial.ts";
import { archiveOf, sha256Of } from "#tests/fixtures/model-archive.ts";
import { type Mirror, startModelMirror } from "#tests/fixtures/model-mirror.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { addedModels } from "./added.ts";

export const noLog: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** Incompressible bytes that are the same each time. */
export function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0, state = 1; at < size; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** An entry of a catalogue; by default a tiny archive with SenseVoice files. */
export function entryOf(id: string, more: Partial<v.InferInput<typeof CatalogueModel>> = {}): CatalogueModel {
  return v.parse(CatalogueModel, {
    id,
    purpose: "hearing",
    kind: "senseVoice",
    languages: ["en"],
    archive: { name: `${id}.tar.bz2`, urls: [`https://models.invalid/${id}.tar.bz2`] },
    diskBytes: 1_000_000,
    memoryBytes: 1_000_000,
    licence: "MIT",
    ...more,
  });
}

/** A clock a thousand times as fast, so that retries come at once. */
const quickClock = {
  setTimeout: (run: (...args: unknown[]) => void, ms: number) => setTimeout(run, ms / 1000),
  clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
};

export const network = noise(300_000);
/** The archive of such a model; its folder has another name. */
export const tinyArchive = (more: readonly { name: string; content: string | Buffer }[] = []) =>
  archiveOf([
    { name: "other-name/", type: "directory" },
    { name: "other-name/model.int8.onnx", content: network },
    { name: "other-name/model.onnx", content: "four times as large" },
    { name: "other-name/tokens.txt", content: "a 0\n" },
    { name: "other-name/test_wavs/0.wav", content: "RIFF" },
    ...more,
  ]);

export async function startMirror(): Promise<Mirror> {
  const mirror = await startModelMirror();
  onTestFinished(() => mirror.close());
  return mirror;
}

/**
 * A client with the real timeouts, so that a busy machine does not matter.
 * @param idleMs ms without bytes until a download is retried; tests of stalls want less
 */
export const clientWith = (env: NodeJS.ProcessEnv = {}, idleMs = downloadTimes.idleMs) =>
  openModelClient({ ...downloadTimes, idleMs }, env);

/** Opens a model folder with its installer; both are closed after the test. */
export async function openHarness(
  catalogue: readonly CatalogueModel[],
  mirror: Mirror | undefined,
  { dataDir: given, ...more }: Partial<InstallerOptions> & { dataDir?: string } = {},
) {
  const dataDir = given ?? (await temporaryFolder());
  const store = await openModelStore({ dataDir, catalogue, log: noLog });
  const tried: TrialCandidate[] = [];
  const installer = await openInstaller({
    store,
    catalogue,
    mirror: mirror?.url,
    tryModel: async (candidate) => {
      tried.push(candidate);
      return { speed: { factor: 0.1, threads: 1, at: "2026-03-01T12:00:00.000Z" } };
    },
    log: noLog,
    now: Date.now,
    clock: quickClock,
    client: clientWith(),
    // The free space of this machine's disk must not affect the tests.
    freeBytes: async () => 2 ** 40,
    ...more,
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await installer.close();
    await store.close();
  };
  onTestFinished(close);
  const settled = async (id: string): Promise<Installation> => installer.settled(id);
  const install = async (id: string) => {
    await installer.install(id);
    return settled(id);
  };
  return { dataDir, store, installer, tried, install, settled, close };
}

/** Names of folders of models that are being unpacked or removed. */
export const hidden = async (dataDir: string) =>
  (await readdir(join(dataDir, "models"))).filter((each) => /^\.(unpacking|removing)/.test(each));

/**
 * Installs an archive that is no model, and checks that nothing of it stays.
 * @returns the failed installation
 */
export async function installArchive(bytes: Buffer, more: Parameters<typeof entryOf>[1] = {}): Promise<Installation> {
  const [id, name] = ["tiny", "tiny.tar.bz2"];
  const mirror = await startMirror();
  mirror.put(name, bytes);
  const urls = ["https://models.invalid/x"];
  const entry = entryOf(id, { archive: { name, urls, bytes: bytes.length, sha256: sha256Of(bytes) }, ...more });
  const harness = await openHarness([entry], mirror);
  const ended = await harness.install(id);
  expect(addedModels(harness.store)).toEqual([]);
  expect(await hidden(harness.dataDir)).toEqual([]);
  return ended;
}
