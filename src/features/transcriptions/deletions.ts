import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { AcceptedSummary, type TranscriptionSummary } from "#contract/index.ts";
import { isGone } from "#machines/failure.ts";
import {
  type DeletionEmitted,
  type DeletionEvent,
  deletionMachine,
  type Removed,
  type Restored,
  selectDeleted,
} from "#machines/transcriptions/deletion.ts";
import type { BatchResult, TranscriptionsApi, TrashApi } from "#src/api/transcriptions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { type Toast, toast } from "#src/browser/toasts.ts";
import { signedInUser } from "#src/features/session/actor.ts";
import { transcriptionsApi, trashApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { dropPersisted } from "./persisted.ts";
import { titleNow } from "./shown-title.ts";

type Deletion = ActorRefFrom<typeof deletionMachine>;

interface DeletionsEnvironment {
  api: Pick<TranscriptionsApi, "remove" | "update"> & Pick<TrashApi, "add" | "restore">;
  /** The signed-in user's id. */
  owner: ReadableStore<string | null>;
  toast(message: Toast): void;
}

/** Deletion events. */
type DeletionStep = DeletionEmitted | { type: "deletion.begun"; ids: readonly string[] };

/**
 * The signed-in user's deletions that are running or can still be undone. Transcriptions deleted together are one
 * deletion.
 */
export interface Deletions {
  find(id: string): Deletion | undefined;
  /** Sends the deletion at once. Omits transcriptions that are already being deleted. */
  begin(transcriptions: readonly TranscriptionSummary[]): void;
  subscribe(listener: () => void): () => void;
  /** Subscribes to deletion events. */
  follow(follower: (step: DeletionStep) => void): () => void;
}

/** Manages the deletions of a page. A reload ends the offers to undo them, but the trash still has everything. */
export function createDeletions(environment: DeletionsEnvironment): Deletions {
  const machine = provide(environment.api);
  const listeners = createListeners();
  const followers = createListeners<[step: DeletionStep]>();
  /** Deletions by the id of each transcription. */
  const groups = perOwner<Map<string, Deletion>>({
    owner: environment.owner,
    end: (group) => {
      for (const deletion of new Set(group.values())) deletion.stop();
      listeners.emit();
    },
  });
  const group = () => groups.open(() => new Map());
  const find = (id: string) => group().get(id);
  const begin = (transcriptions: readonly TranscriptionSummary[]) => {
    // The argument may be a whole transcription with segments, so it is reduced to a row.
    const rows = transcriptions.filter(({ id }) => find(id) === undefined).map((row) => v.parse(AcceptedSummary, row));
    if (rows.length === 0) return;
    const mine = group();
    const actor = createActor(machine, { ...inspected(), input: { transcriptions: rows } });
    const ended = new AbortController();
    for (const type of emittedTypes)
      actor.on(type, (event) => {
        announce(event, { actor, toast: environment.toast, signal: ended.signal });
        followers.emit(event);
      });
    const keep = () => {
      const left = new Set(selectDeleted(actor.getSnapshot()).map(({ id }) => id));
      const isOver = actor.getSnapshot().status !== "active";
      for (const { id } of rows) if (isOver || !left.has(id)) mine.delete(id);
      listeners.emit();
    };
    actor.subscribe({
      next: keep,
      complete: () => {
        ended.abort();
        keep();
      },
    });
    for (const { id } of rows) mine.set(id, actor);
    actor.start();
    followers.emit({ type: "deletion.begun", ids: rows.map(({ id }) => id) });
    listeners.emit();
  };
  return { find, begin, subscribe: listeners.subscribe, follow: followers.subscribe };
}

const emittedTypes = [
  "transcriptions.deleted",
  "deletion.failed",
  "transcriptions.restored",
  "restoring.failed",
  "deletion.over",
] as const;

/** A single deletion uses the calls of SPEC.md, several use those of the trash. */
function provide(api: DeletionsEnvironment["api"]) {
  return deletionMachine.provide({
    actors: {
      remove: fromPromise(async ({ input: { ids }, signal }) => {
        const [only, ...others] = ids;
        if (only === undefined || others.length > 0) return removedOf(await api.add(ids, signal));
        const { purgeAt } = await api.remove(only, signal);
        // A server without a trash reports no purge date.
        return { canUndo: purgeAt !== undefined, failed: [], code: null };
      }),
      restore: fromPromise(async ({ input, signal }) => {
        const [only, ...others] = input.transcriptions;
        if (only === undefined || others.length > 0)
          return restoredOf(input.transcriptions, await restoreAll(api, input, signal));
        return { restored: [await api.update(only.id, { deletedAt: null }, signal)], left: [], code: null };
      }),
    },
  });
}

function restoreAll(api: DeletionsEnvironment["api"], { transcriptions }: { transcriptions: Rows }, signal: AbortSignal) {
  return api.restore(
    transcriptions.map(({ id }) => id),
    signal,
  );
}

type Rows = readonly TranscriptionSummary[];

/** Counts transcriptions that another tab has erased meanwhile as deleted. */
function removedOf({ failed }: BatchResult): Removed {
  const kept = failed.filter((failure) => !isGone(failure));
  return { canUndo: true, failed: kept.map(({ id }) => id), code: kept[0]?.code ?? null };
}

function restoredOf(rows: Rows, { done, failed }: BatchResult): Restored {
  const back = new Set(done);
  const left = failed.filter((failure) => !isGone(failure)).map(({ id }) => id);
  return { restored: rows.filter(({ id }) => back.has(id)), left, code: failed[0]?.code ?? null };
}

interface Announcing {
  actor: Deletion;
  toast: DeletionsEnvironment["toast"];
  /** Aborts when the deletion can't be undone any more. */
  signal: AbortSignal;
}

function announce(step: DeletionEmitted, { actor, toast, signal }: Announcing): void {
  if (step.type === "transcriptions.deleted") {
    const send = (event: DeletionEvent) => {
      if (!signal.aborted) actor.send(event);
    };
    toast({
      ...deletedToast(step.transcriptions),
      ...(step.canUndo && {
        kind: "undo",
        action: { key: "app:history.undo", run: () => send({ type: "undo.requested" }) },
        onClose: () => send({ type: "offer.closed" }),
        signal,
      }),
    });
  } else if (step.type === "deletion.failed") toast(failureOf(step));
  else if (step.type === "restoring.failed") toast({ kind: "error", key: `errors.${step.code}` });
  else if (step.type === "transcriptions.restored" && step.transcriptions.length > 0)
    toast({ kind: "success", key: "toast.restored" });
}

function deletedToast(transcriptions: Rows): Toast {
  const [first, ...others] = transcriptions;
  return first === undefined || others.length > 0
    ? { kind: "plain", key: "app:history.deletedMany", values: { count: transcriptions.length } }
    : { kind: "plain", key: "app:history.deleted", values: { title: titleNow(first) } };
}

function failureOf({ transcriptions }: Extract<DeletionStep, { type: "deletion.failed" }>): Toast {
  if (transcriptions.length === 1) return { kind: "error", key: "toast.deleteFailed" };
  return { kind: "error", key: "app:history.deleteSomeFailed", values: { number: String(transcriptions.length) } };
}

/** The page's instance. */
export const deletions: Deletions = createDeletions({
  api: { ...transcriptionsApi, ...trashApi },
  owner: signedInUser,
  toast,
});

deletions.follow((step) => {
  if (step.type === "deletion.begun") void dropPersisted(step.ids);
});
