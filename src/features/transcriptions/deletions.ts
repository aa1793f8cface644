import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { AcceptedSummary, Origin, type TranscriptionSummary, titleOf, undoMs } from "#contract/index.ts";
import { isGone } from "#machines/failure.ts";
import {
  type DeletionEmitted,
  deletionMachine,
  type Removed,
  type Restored,
  selectCanUndo,
  selectDeleted,
} from "#machines/transcriptions/deletion.ts";
import type { TranscriptionsApi } from "#src/api/transcriptions.ts";
import type { BatchResult, TrashApi } from "#src/api/trash.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { type Toast, toast } from "#src/browser/toasts.ts";
import { signedInUser } from "#src/features/session/actor.ts";
import { transcriptionsApi, trashApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

export type Deletion = ActorRefFrom<typeof deletionMachine>;

const key = "deletions";
const Persisted = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({
      ownerId: v.string(),
      ids: v.array(v.string()),
      /** Of the first, as are its origin and its date, which it is called by without a title. */
      title: v.string(),
      origin: v.fallback(v.nullable(Origin), null),
      date: v.fallback(v.string(), ""),
      undoUntil: v.number(),
    }),
  ),
);

interface DeletionsWorld {
  api: Pick<TranscriptionsApi, "remove" | "update"> & Pick<TrashApi, "add" | "restore">;
  /** The signed-in person's id. */
  owner: ReadableStore<string | null>;
  storage: PageStorage;
  toast(message: Toast): void;
}

/** Deletion events. */
type DeletionStep = DeletionEmitted | { type: "deletion.begun"; ids: readonly string[] };

/** The signed-in person's running deletions, and those of the last ten minutes: what was deleted together is one. */
export interface Deletions {
  /** Newest first; a stable array while nothing changes. */
  list(): readonly Deletion[];
  find(id: string): Deletion | undefined;
  /** Calls the server at once. Those that are being deleted already are left out. */
  begin(transcriptions: readonly TranscriptionSummary[]): void;
  subscribe(listener: () => void): () => void;
  /** Subscribes to deletion events. */
  follow(follower: (step: DeletionStep) => void): () => void;
}

/** The deletions of one person. */
interface Group {
  list(): readonly Deletion[];
  find(id: string): Deletion | undefined;
  start(transcriptions: readonly TranscriptionSummary[], undoUntil: number | null): void;
  changed(): void;
  stop(): void;
}

/** The deletions of a page. Those that a reload interrupted can still be undone. */
export function createDeletions(world: DeletionsWorld): Deletions {
  const listeners = createListeners();
  const followers = createListeners<[step: DeletionStep]>();
  const changed = () => listeners.emit();
  const emit = (step: DeletionStep) => {
    announce(step, world.toast);
    followers.emit(step);
  };
  const groups = perOwner<Group>({
    owner: world.owner,
    end: (group) => {
      group.stop();
      changed();
    },
  });
  const group = () => groups.open((ownerId) => createGroup(world, ownerId, { changed, emit }));
  const find = (id: string) => group().find(id);
  return {
    list: () => group().list(),
    find,
    begin: (transcriptions) => {
      // A whole transcription has segments too.
      const rows = transcriptions.filter(({ id }) => find(id) === undefined).map((row) => v.parse(AcceptedSummary, row));
      if (rows.length === 0) return;
      group().start(rows, null);
      emit({ type: "deletion.begun", ids: rows.map(({ id }) => id) });
      group().changed();
    },
    subscribe: listeners.subscribe,
    follow: followers.subscribe,
  };
}

function createGroup(
  { api, storage }: DeletionsWorld,
  ownerId: string | null,
  report: { changed(): void; emit(event: DeletionEmitted): void },
): Group {
  const machine = provide(api);
  const persistence = createPersistence(storage);
  let actors: readonly Deletion[] = [];
  let byId: Map<string, Deletion> | undefined;
  const index = () =>
    new Map(actors.flatMap((actor) => selectDeleted(actor.getSnapshot()).map(({ id }) => [id, actor] as const)));
  const find = (id: string) => {
    byId ??= index();
    return byId.get(id);
  };
  const changed = () => {
    byId = undefined;
    persistence.write(ownerId, actors);
    report.changed();
  };
  const start = (transcriptions: readonly TranscriptionSummary[], undoUntil: number | null) => {
    const actor = createActor(machine, { ...inspected(), input: { transcriptions, undoUntil, now: Date.now } });
    for (const type of [
      "transcriptions.deleted",
      "deletion.failed",
      "transcriptions.restored",
      "restoring.failed",
      "deletion.over",
    ] as const)
      actor.on(type, report.emit);
    let could = undoUntil !== null;
    actor.subscribe({
      next: (snapshot) => {
        if (could === selectCanUndo(snapshot)) return;
        could = !could;
        changed();
      },
      complete: () => {
        // Stopped because its owner has signed out: the persisted data stays theirs.
        if (!actors.includes(actor)) return;
        actors = actors.filter((one) => one !== actor);
        changed();
      },
    });
    actors = [actor, ...actors];
    byId = undefined;
    actor.start();
  };
  // The newest is started last, so that it is first in the list.
  for (const entry of persistence.read().toReversed()) {
    if (entry.ownerId !== ownerId || entry.undoUntil <= Date.now()) continue;
    // Nothing else is known of them: they are fetched again when they come back.
    const [first, ...others] = entry.ids.map((id) => v.parse(AcceptedSummary, { id }));
    if (first === undefined) continue;
    const { title, origin, date, undoUntil } = entry;
    start([{ ...first, title, origin, date }, ...others], undoUntil);
  }
  const stop = () => {
    const ended = actors;
    actors = [];
    byId = undefined;
    for (const actor of ended) actor.stop();
  };
  return { list: () => actors, find, start, changed, stop };
}

/** One has the specification's calls, many have the trash's. */
function provide(api: DeletionsWorld["api"]) {
  return deletionMachine.provide({
    actors: {
      remove: fromPromise<Removed, { ids: readonly string[] }>(async ({ input: { ids }, signal }) => {
        const [only, ...others] = ids;
        if (only === undefined || others.length > 0) return removedOf(await api.add(ids, signal));
        const { purgeAt } = await api.remove(only, signal);
        // This device's clock may be wrong: the ten minutes are counted locally. Without an end from the server there is none.
        return { undoMs: purgeAt === undefined ? 0 : undoMs, failed: [], code: null };
      }),
      restore: fromPromise<Restored, { transcriptions: readonly TranscriptionSummary[] }>(async ({ input, signal }) => {
        const [only, ...others] = input.transcriptions;
        if (only === undefined || others.length > 0)
          return restoredOf(input.transcriptions, await restoreAll(api, input, signal));
        return { restored: [await api.update(only.id, { deletedAt: null }, signal)], left: [], code: null };
      }),
    },
  });
}

function restoreAll(api: DeletionsWorld["api"], { transcriptions }: { transcriptions: Rows }, signal: AbortSignal) {
  return api.restore(
    transcriptions.map(({ id }) => id),
    signal,
  );
}

type Rows = readonly TranscriptionSummary[];

/** What another tab has erased meanwhile is as deleted as it was to be. */
function removedOf({ failed }: BatchResult): Removed {
  const kept = failed.filter((failure) => !isGone(failure));
  return { undoMs, failed: kept.map(({ id }) => id), code: kept[0]?.code ?? null };
}

function restoredOf(rows: Rows, { done, failed }: BatchResult): Restored {
  const back = new Set(done);
  const left = failed.filter((failure) => !isGone(failure)).map(({ id }) => id);
  return { restored: rows.filter(({ id }) => back.has(id)), left, code: failed[0]?.code ?? null };
}

/** Of all people who use this browser; persisted over reloads. */
function createPersistence(storage: PageStorage) {
  const read = (): v.InferOutput<typeof Persisted> => {
    const persisted = v.safeParse(Persisted, storage.read(key));
    return persisted.success ? persisted.output : [];
  };
  return {
    read,
    write: (ownerId: string | null, actors: readonly Deletion[]): void => {
      const mine = actors.flatMap((actor) => {
        const { transcriptions, undoUntil } = actor.getSnapshot().context;
        const [first] = transcriptions;
        if (undoUntil === null || ownerId === null || first === undefined) return [];
        const { origin, date } = first;
        return [{ ownerId, ids: transcriptions.map(({ id }) => id), title: titleOf(first), origin, date, undoUntil }];
      });
      const others = read().filter((entry) => entry.ownerId !== ownerId && entry.undoUntil > Date.now());
      if (mine.length + others.length > 0) storage.write(key, JSON.stringify([...mine, ...others]));
      else storage.remove(key);
    },
  };
}

function announce(step: DeletionStep, toast: DeletionsWorld["toast"]): void {
  if (step.type === "deletion.failed") toast(failureOf(step));
  else if (step.type === "restoring.failed") toast({ kind: "error", key: `errors.${step.code}` });
  else if (step.type === "transcriptions.restored" && step.transcriptions.length > 0)
    toast({ kind: "success", key: "toast.restored" });
}

function failureOf({ transcriptions }: Extract<DeletionStep, { type: "deletion.failed" }>): Toast {
  if (transcriptions.length === 1) return { kind: "error", key: "toast.deleteFailed" };
  return { kind: "error", key: "app:history.deleteSomeFailed", values: { number: String(transcriptions.length) } };
}

/** The page's instance. */
export const deletions: Deletions = createDeletions({
  api: { ...transcriptionsApi, ...trashApi },
  owner: signedInUser,
  storage,
  toast,
});
