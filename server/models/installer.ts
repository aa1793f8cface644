import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Actor, type ActorOptions, createActor } from "xstate";
import type { Installation } from "#contract/index.ts";
import { type InstallationEvent, type modelInstallationMachine, selectState } from "#machines/models/installation.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Log } from "#server/log/log.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { openHolds } from "./holds.ts";
import { openInstallQueue } from "./install-queue.ts";
import { InstallationProblem } from "./installation-problem.ts";
import { type ImportedFile, type Job, provideSteps, type StepParts, stagingOf } from "./installation-steps.ts";
import { openModelClient } from "./opening.ts";
import { createProgressMeter, type ProgressMeter } from "./progress.ts";
import { sourcesOf } from "./sources.ts";
import { type FreeBytes, freeBytesOf } from "./space.ts";
import type { ModelStore } from "./store.ts";
import type { TryModel } from "./trial.ts";
import { listUnfinished, type Notes, removeImports, removeStale, writeNotes } from "./unfinished.ts";

/** More than this is a big download (bytes). */
const bigBytes = 250_000_000;
/** Installs models, one big one at a time. */
export interface Installer {
  /**
   * Installs a model; simultaneous requests share one installation.
   * @param onBegun called for the request that has started it
   * @throws Problem `notFound`; `conflict` if it is already installed
   */
  install(id: string, onBegun?: () => void): Promise<Installation>;
  /**
   * The new state survives the end of the process.
   * @throws Problem `notFound`; `conflict` if its state does not allow it
   */
  pause(id: string): Promise<Installation>;
  resume(id: string): Promise<Installation>;
  cancel(id: string): Promise<Installation>;
  /**
   * Installs from a file, which is moved to where downloads are.
   * @param path where it is, in the same file system @throws Problem `conflict`; the file is where it was then
   */
  installFile(id: string, file: ImportedFile, path: string): Promise<Installation>;
  /** null: it has no installation. */
  find(id: string): Installation | null;
  /** Ids of everything that is going on or has ended since the start. */
  ids(): string[];
  /** Waits until it is installed, failed, cancelled or paused. @param onProgress is called at every change of state */
  settled(id: string, onChange?: (installation: Installation) => void): Promise<Installation>;
  /** Stops the installations; an unfinished download continues after the next start. */
  close(): Promise<void>;
}

export interface InstallerOptions {
  store: ModelStore;
  catalogue: readonly CatalogueModel[];
  /** MODELS_MIRROR. */
  mirror: string | undefined;
  tryModel: TryModel;
  log: Log;
  /** Epoch milliseconds. */
  now: () => number;
  /** Default: the real disk's. */
  freeBytes?: FreeBytes;
  client?: StepParts["client"];
  /** The clock for waits between attempts. Default: the real one. */
  clock?: ActorOptions<typeof modelInstallationMachine>["clock"];
  /** Goes on with unfinished downloads. Default true. */
  resumes?: boolean;
}

interface Running {
  actor: Actor<typeof modelInstallationMachine>;
  job: Job;
  meter: ProgressMeter;
  isFromFile: boolean;
  /** Notes are written one after the other. */
  noting: Promise<void>;
}

/** The final states of an installation. */
const ended = ["installed", "cancelled"];

/** The start parameters of each installation. */
interface Context {
  options: InstallerOptions;
  parts: StepParts;
  entries: ReadonlyMap<string, CatalogueModel>;
  locks: ReturnType<typeof openHolds>;
  slots: ReturnType<typeof openInstallQueue>;
  running: Map<string, Running>;
}

/** Creates the installer, and continues downloads that an earlier process left. */
export async function openInstaller(options: InstallerOptions): Promise<Installer> {
  const { store, tryModel, now } = options;
  const { folders } = store;
  const entries = new Map(options.catalogue.map((entry) => [entry.id, entry]));
  const running = new Map<string, Running>();
  const slots = openInstallQueue(
    (id) => sizeOf(entries.get(id)) > bigBytes,
    (id) => running.get(id)?.actor.send({ type: "slot.given" }),
  );
  const locks = openHolds(folders.installing);
  const client = options.client ?? openModelClient();
  const parts: StepParts = { store, client, tryModel, now, freeBytes: options.freeBytes ?? freeBytesOf };
  const context = { options, parts, entries, locks, slots, running };
  await mkdir(folders.downloads, { recursive: true });
  await removeStale(folders.root, locks.isHeldElsewhere);
  await removeImports(folders.downloads);
  if (options.resumes !== false) {
    for await (const { id, file, first } of listUnfinished(folders.downloads, entries, locks.isHeldElsewhere))
      begin(context, id, file, first);
  }

  const command = async (
    id: string,
    type: "pause.requested" | "resume.requested" | "cancel.requested",
  ): Promise<Installation> => {
    const one = running.get(id);
    if (one === undefined) throw new Problem("notFound", "This model is not being installed.");
    if (!one.actor.getSnapshot().can({ type })) throw new Problem("conflict", "This is not possible in the current state.");
    one.actor.send({ type });
    return noted(one);
  };
  return {
    install: async (id, onBegun) => {
      if (!entries.has(id)) throw new Problem("notFound", "The catalogue does not have this model.");
      await requireAbsent(store, id);
      const known = current(running.get(id));
      const one = known ?? begin(context, id, undefined, "install.requested");
      const before = selectState(one.actor.getSnapshot());
      one.actor.send({ type: "install.requested" });
      if (known === undefined || selectState(one.actor.getSnapshot()) !== before) onBegun?.();
      return noted(one);
    },
    pause: (id) => command(id, "pause.requested"),
    resume: (id) => command(id, "resume.requested"),
    cancel: (id) => command(id, "cancel.requested"),
    installFile: async (id, file, path) => {
      await requireAbsent(store, id);
      const one = current(running.get(id));
      if (one !== undefined && !isOver(one)) throw new Problem("conflict", "This model is already being installed.");
      one?.actor.stop();
      await one?.job.lastStep;
      await mkdir(join(folders.downloads, id), { recursive: true });
      await rename(path, join(folders.downloads, id, file.name));
      return noted(begin(context, id, file, "file.given"));
    },
    find: (id) => {
      const one = running.get(id);
      return one === undefined ? null : installationOf(one);
    },
    ids: () => [...running.keys()],
    settled: (id, onChange) => settledOf(running.get(id), onChange),
    close: async () => {
      for (const { actor } of running.values()) actor.stop();
      slots.close();
      await Promise.all([...running.values()].flatMap(({ noting, job }) => [noting, job.lastStep]));
      await locks.close();
    },
  };
}

const sizeOf = (entry: CatalogueModel | undefined) => entry?.archive?.bytes ?? entry?.downloadBytes ?? entry?.diskBytes ?? 0;

/** Starts an installation's statechart, and writes down each of its states. */
function begin(
  { options, parts, entries, locks, slots, running }: Context,
  id: string,
  file: ImportedFile | undefined,
  first: InstallationEvent["type"],
): Running {
  const { store, mirror, log, now, clock } = options;
  const entry = entries.get(id);
  const sources = entry === undefined ? [] : sourcesOf(entry, mirror);
  const lock = lockOf(locks, id);
  const meter = createProgressMeter(now);
  const allNoted = () => running.get(id)?.noting ?? Promise.resolve();
  const job: Job = { id, entry, sources, file, meter, lock: lock.take, noted: allNoted, lastStep: Promise.resolve() };
  const input = { id, sources: sources.length, queue: slots.actor };
  const actor = createActor(provideSteps(parts, job), clock === undefined ? { input } : { input, clock });
  const one: Running = { actor, job, meter, isFromFile: file !== undefined, noting: Promise.resolve() };
  running.set(id, one);
  let before = "";
  actor.subscribe((snapshot) => {
    const state = selectState(snapshot) ?? "";
    if (state === before) return;
    before = state;
    if (state === "failed") {
      const { failure, detail } = snapshot.context;
      log.warn("model not installed", { id, failure, detail });
      void rm(stagingOf(parts, job), { recursive: true, force: true }).catch(() => undefined);
    }
    const isWorking = snapshot.matches("working");
    if (!isWorking) void lock.release();
    const notes: Notes = { wanted: isWorking ? "running" : "paused", ...(file === undefined ? {} : { file }) };
    if (!ended.includes(state)) one.noting = one.noting.then(() => writeNotes(store.folders.downloads, id, notes, log));
  });
  actor.start();
  actor.send({ type: first });
  return one;
}

/**
 * A process that is killed right after its answer must neither continue a paused installation nor wait with another.
 */
async function noted(one: Running): Promise<Installation> {
  await one.noting;
  return installationOf(one);
}

async function requireAbsent(store: ModelStore, id: string): Promise<void> {
  await store.rescan();
  if (store.found().some((found) => found.id === id)) throw new Problem("conflict", "This model is already installed.");
}

function isOver({ actor }: Running): boolean {
  const snapshot = actor.getSnapshot();
  return snapshot.matches("failed") || snapshot.matches({ cancelled: "discarded" });
}

/** A finished installation, or an ended import, is not part of another installation. */
function current(one: Running | undefined): Running | undefined {
  if (one === undefined || one.actor.getSnapshot().matches("installed")) return undefined;
  if (!isOver(one) || !one.isFromFile) return one;
  one.actor.stop();
  return undefined;
}

function lockOf(locks: ReturnType<typeof openHolds>, id: string) {
  let lock: AsyncDisposable | undefined;
  const release = async () => {
    const held = lock;
    lock = undefined;
    await held?.[Symbol.asyncDispose]();
  };
  return {
    release,
    take: async () => {
      lock ??= await locks.take(id);
      if (!(await locks.isHeldElsewhere(id))) return;
      await release();
      throw new InstallationProblem("unknown", "Another process is installing it.");
    },
  };
}

function installationOf({ actor, meter }: Running): Installation {
  const snapshot = actor.getSnapshot();
  const state = selectState(snapshot) ?? "waiting";
  const { failure, detail } = snapshot.context;
  const progress = meter.read();
  const isDownloading = state === "downloading";
  return {
    state,
    ...progress,
    ...(snapshot.matches({ working: { downloading: "backingOff" } }) && { isRetrying: true }),
    bytesPerSecond: isDownloading ? progress.bytesPerSecond : null,
    secondsLeft: isDownloading ? progress.secondsLeft : null,
    // Before it has failed, they are those of an earlier source.
    failure: state === "failed" ? failure : null,
    detail: state === "failed" ? detail : null,
  };
}

function settledOf(one: Running | undefined, onChange?: (installation: Installation) => void): Promise<Installation> {
  if (one === undefined) return Promise.reject(new Problem("notFound", "This model is not being installed."));
  return new Promise((resolve) => {
    const check = () => {
      const installation = installationOf(one);
      onChange?.(installation);
      const isSettled = ["installed", "paused"].includes(installation.state) || isOver(one);
      if (isSettled || one.actor.getSnapshot().status !== "active") {
        subscription.unsubscribe();
        resolve(installation);
      }
    };
    const subscription = one.actor.subscribe({ next: check, complete: check });
    check();
  });
}
