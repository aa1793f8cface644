import { access, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fromPromise } from "xstate";
import type { MeasuredSpeed, ModelCheck } from "#contract/index.ts";
import { modelInstallationMachine } from "#machines/models/installation.ts";
import { syncFolder } from "#server/storage/files.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { download } from "./download.ts";
import { asInstallationProblem, InstallationProblem } from "./installation-problem.ts";
import { writeJsonFile } from "./json-file.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import type { ModelClient } from "./opening.ts";
import type { ProgressMeter } from "./progress.ts";
import { type Recognized, recognize } from "./recognize.ts";
import type { Source } from "./sources.ts";
import { type FreeBytes, requireSpace } from "./space.ts";
import type { ModelStore } from "./store.ts";
import type { TryModel } from "./trial.ts";
import { limitsFor, type Unpacked, unpack } from "./unpack.ts";
import type { UnpackTask } from "./unpack-messages.ts";
import { verify } from "./verify.ts";

/** The dependencies of an installation. */
export interface StepParts {
  store: ModelStore;
  client: ModelClient;
  freeBytes: FreeBytes;
  tryModel: TryModel;
  /** Epoch milliseconds. */
  now: () => number;
}

/** An imported file. */
export interface ImportedFile {
  /** Its name in the download folder. */
  name: string;
  /** The check that it has passed; an archive may also contain files with known hashes. */
  check: ModelCheck;
}

/** One model's installation in progress. */
export interface Job {
  readonly id: string;
  /** Undefined: a file that the catalogue does not know. */
  readonly entry: CatalogueModel | undefined;
  readonly sources: readonly Source[];
  readonly file: ImportedFile | undefined;
  readonly meter: ProgressMeter;
  /** Keeps other processes from installing the same. @throws InstallationProblem */
  lock(): Promise<void>;
  /** Resolves when its notes are on the disk. */
  noted(): Promise<void>;
  /** Resolves when the last step touches nothing any more. */
  lastStep: Promise<unknown>;
  unpacked?: Unpacked & { recognized: Recognized };
  speed?: MeasuredSpeed;
}

/** The statechart with what its steps do. */
export function provideSteps(parts: StepParts, job: Job) {
  const { folders } = parts.store;
  const folder = join(folders.downloads, job.id);
  const step = stepsOf(job);
  const source = (index: number) => {
    const found = job.sources[index];
    if (found === undefined || job.entry === undefined) throw new InstallationProblem("gone", "It has no download address.");
    return { entry: job.entry, source: found, folder };
  };
  return modelInstallationMachine.provide({
    actors: {
      download: step(async (input: { id: string; source: number }, signal) => {
        await job.lock();
        job.meter.begin();
        const listener = { progressed: job.meter.note, from: job.meter.from };
        await download(parts, source(input.source), listener, signal);
      }),
      verify: step(async (input: { id: string; source: number; isFromFile: boolean }, signal) => {
        job.meter.begin();
        if (!input.isFromFile) return verify(parts, source(input.source), job.meter.note, signal);
        await job.lock();
        return checkImported(job, folder);
      }),
      unpack: step(async (input: { id: string; source: number; isFromFile: boolean; check: ModelCheck | null }, signal) => {
        job.meter.begin();
        const way = input.isFromFile ? undefined : source(input.source).source;
        return unpackStep(parts, job, { folder, way, check: input.check ?? "none" }, signal);
      }),
      tryOut: step(async (_: { id: string }, signal) => {
        job.meter.begin();
        const { folder: staged, recognized, files } = unpackedOf(job);
        const memoryBytes = job.entry?.memoryBytes ?? files.reduce((sum, { bytes }) => sum + bytes, 0);
        const { speed } = await parts.tryModel({ folder: staged, ...recognized, memoryBytes }, signal);
        job.speed = speed;
      }),
      place: step(async ({ check }: { id: string; check: ModelCheck | null }) => place(parts, job, check ?? "none")),
      discard: step(async (_: { id: string }) => {
        await job.noted();
        await rm(folder, { recursive: true, force: true });
        await rm(stagingOf(parts, job), { recursive: true, force: true });
      }),
    },
  });
}

/**
 * The steps, whose failures have the codes of the statechart. A step starts when the previous one, which may have been
 * cancelled, has ended.
 */
function stepsOf(job: Job) {
  return function step<Input, Output>(work: (input: Input, signal: AbortSignal) => Promise<Output>) {
    return fromPromise<Output, Input>(({ input, signal }) => {
      const before = job.lastStep;
      const run = async () => {
        await before;
        signal.throwIfAborted();
        return work(input, signal);
      };
      const ran = run().catch((error: unknown) => Promise.reject(asInstallationProblem(error)));
      job.lastStep = ran.catch(() => undefined);
      return ran;
    });
  };
}

export const stagingOf = ({ store }: Pick<StepParts, "store">, { id }: Pick<Job, "id">): string =>
  join(store.folders.root, `.unpacking-${id}`);

function unpackedOf({ unpacked }: Job): Unpacked & { recognized: Recognized } {
  if (unpacked === undefined) throw new InstallationProblem("unknown", "Nothing has been unpacked.");
  return unpacked;
}

async function checkImported({ file }: Job, folder: string): Promise<ModelCheck> {
  if (file === undefined) throw new InstallationProblem("damaged", "The file no longer exists. Import it again.");
  await access(join(folder, file.name)).catch(() => {
    throw new InstallationProblem("damaged", "The file no longer exists. Import it again.");
  });
  return file.check;
}

interface Arrived {
  folder: string;
  /** Undefined: a file. */
  way: Source | undefined;
  check: ModelCheck;
}

async function unpackStep(parts: StepParts, job: Job, arrived: Arrived, signal: AbortSignal): Promise<ModelCheck> {
  const { entry } = job;
  const archived = await taskOf(parts, job, arrived);
  await requireSpace(parts.store.folders.root, entry?.diskBytes ?? archived.bytes, parts.freeBytes);
  try {
    const unpacked = await unpack(archived.task, (done) => job.meter.note(done, archived.bytes), signal);
    job.unpacked = { ...unpacked, recognized: await recognizeUnpacked(unpacked, job) };
    if (unpacked.isPinned) return "pinned";
    // A download that is only checked by its contents must have passed that check.
    const isChecked = arrived.check !== "none" || arrived.way === undefined;
    if (!isChecked) throw new InstallationProblem("mismatch", "Its files can't be compared with the published ones.");
    return arrived.check;
  } catch (error) {
    await rm(stagingOf(parts, job), { recursive: true, force: true });
    // A retry would not help.
    const { failure } = asInstallationProblem(error);
    if (["damaged", "hostile", "wrongKind", "mismatch"].includes(failure))
      await rm(arrived.folder, { recursive: true, force: true });
    throw error;
  }
}

async function taskOf(parts: StepParts, job: Job, { folder, way }: Arrived): Promise<{ task: UnpackTask; bytes: number }> {
  const { entry, file } = job;
  const named = way === undefined ? fileOf(job) : way.files.map(({ name, target }) => ({ name, target }));
  const isArchive = way?.isArchive ?? named[0]?.target === undefined;
  const paths = named.map(({ name }) => join(folder, name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const files = named.map(({ name, target = name }) => ({ path: join(folder, name), target, isCompressed: target !== name }));
  const task = {
    staging: stagingOf(parts, job),
    archive: isArchive ? (paths[0] ?? null) : null,
    files: isArchive ? [] : files,
    keep: entry?.keep ?? null,
    contents: isArchive || file !== undefined ? (entry?.contents ?? []) : [],
    limits: limitsFor(bytes, entry?.diskBytes),
  };
  return { task, bytes };
}

/** A single file: a model of one file, or an archive. */
function fileOf({ file, entry }: Job): { name: string; target: string | undefined }[] {
  if (file === undefined) return [];
  const single = entry?.archive === undefined ? entry?.files.find(({ name }) => name === file.name) : undefined;
  return [{ name: file.name, target: single?.name }];
}

/** @throws InstallationProblem `wrongKind` */
async function recognizeUnpacked({ folder }: Unpacked, { id, entry }: Job): Promise<Recognized> {
  const recognized = recognize(id, await readdir(folder), entry?.kind);
  if (typeof recognized === "string") throw new InstallationProblem("wrongKind", `It has no known model: ${recognized}.`);
  if (entry === undefined) return recognized;
  if (recognized.kind !== entry.kind) {
    throw new InstallationProblem("wrongKind", `Its files belong to a ${recognized.kind} model, not to ${entry.kind}.`);
  }
  return { purpose: entry.purpose, kind: entry.kind, languages: entry.languages };
}

async function place({ store, now }: StepParts, job: Job, check: ModelCheck): Promise<void> {
  const { folder, files, recognized } = unpackedOf(job);
  const { root, downloads } = store.folders;
  const manifest: Manifest = {
    version: 1,
    id: job.id,
    purpose: recognized.purpose,
    kind: recognized.kind,
    languages: [...recognized.languages],
    check,
    source: job.file === undefined ? "catalogue" : "file",
    installedAt: new Date(now()).toISOString(),
    files,
  };
  await writeJsonFile(join(folder, manifestName), manifest);
  await rename(folder, join(root, job.id));
  await syncFolder(root);
  await rm(stagingOf({ store }, job), { recursive: true, force: true });
  await rm(join(downloads, job.id), { recursive: true, force: true });
  await store.rescan();
  // It is installed by now, with or without the figure, for which there may be no disk space.
  if (job.speed !== undefined) await store.noteSpeed(job.id, job.speed).catch(() => undefined);
}
