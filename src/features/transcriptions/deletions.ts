import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { AcceptedSummary, type TranscriptionSummary, undoMs } from "#contract/index.ts";
import { type DeletionEmitted, deletionMachine, selectCanUndo, selectId } from "#machines/transcriptions/deletion.ts";
import type { TranscriptionsApi } from "#src/api/transcriptions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { type Toast, toast } from "#src/browser/toasts.ts";
import { signedInUser } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

export type Deletion = ActorRefFrom<typeof deletionMachine>;

const key = "deletions";
const Persisted = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ ownerId: v.string(), transcription: AcceptedSummary, purgeAt: v.number() })),
);

interface DeletionsWorld {
  api: Pick<TranscriptionsApi, "remove" | "update">;
  /** The signed-in person's id. */
  owner: ReadableStore<string | null>;
  storage: PageStorage;
  toast(message: Toast): void;
}

/** Deletion events. */
export type DeletionStep = DeletionEmitted | { type: "deletion.begun"; id: string };

/** The signed-in person's running deletions, and those of the last ten minutes. */
export interface Deletions {
  /** Newest first; a stable array while nothing changes. */
  list(): readonly Deletion[];
  find(id: string): Deletion | undefined;
  /** Calls the server at once. */
  begin(transcription: TranscriptionSummary): void;
  subscribe(listener: () => void): () => void;
  /** Subscribes to deletion events. */
  follow(follower: (step: DeletionStep) => void): () => void;
}

/** The deletions of one person. */
interface Group {
  list(): readonly Deletion[];
  start(transcription: TranscriptionSummary, purgeAt: number | null): void;
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
  const find = (id: string) =>
    group()
      .list()
      .find((actor) => selectId(actor.getSnapshot()) === id);
  return {
    list: () => group().list(),
    find,
    begin: (transcription) => {
      if (find(transcription.id) !== undefined) return;
      // A whole transcription has segments too, which exceed the browser's storage.
      group().start(v.parse(AcceptedSummary, transcription), null);
      emit({ type: "deletion.begun", id: transcription.id });
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
  const changed = () => {
    persistence.write(ownerId, actors);
    report.changed();
  };
  const start = (transcription: TranscriptionSummary, purgeAt: number | null) => {
    const actor = createActor(machine, { ...inspected(), input: { transcription, purgeAt, now: Date.now } });
    for (const type of [
      "transcription.deleted",
      "deletion.failed",
      "transcription.restored",
      "restoring.failed",
      "transcription.purged",
    ] as const)
      actor.on(type, report.emit);
    let could = purgeAt !== null;
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
    actor.start();
  };
  // The newest is started last, so that it is first in the list.
  for (const entry of persistence.read().toReversed()) {
    if (entry.ownerId === ownerId && entry.purgeAt > Date.now()) start(entry.transcription, entry.purgeAt);
  }
  const stop = () => {
    const ended = actors;
    actors = [];
    for (const actor of ended) actor.stop();
  };
  return { list: () => actors, start, changed, stop };
}

function provide(api: DeletionsWorld["api"]) {
  return deletionMachine.provide({
    actors: {
      remove: fromPromise<number, { id: string }>(async ({ input, signal }) => {
        const { purgeAt } = await api.remove(input.id, signal);
        // This device's clock may be wrong: the ten minutes are counted locally. Without an end from the server there is none.
        return purgeAt === undefined ? 0 : undoMs;
      }),
      restore: fromPromise<TranscriptionSummary, { id: string }>(({ input, signal }) =>
        api.update(input.id, { deletedAt: null }, signal),
      ),
    },
  });
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
        const { context } = actor.getSnapshot();
        // The texts can be large, and are reloaded from the server.
        const transcription = { ...context.transcription, text: "", translatedText: "" };
        return context.purgeAt === null || ownerId === null ? [] : [{ ownerId, transcription, purgeAt: context.purgeAt }];
      });
      const others = read().filter((entry) => entry.ownerId !== ownerId && entry.purgeAt > Date.now());
      if (mine.length + others.length > 0) storage.write(key, JSON.stringify([...mine, ...others]));
      else storage.remove(key);
    },
  };
}

function announce(step: DeletionStep, toast: DeletionsWorld["toast"]): void {
  if (step.type === "deletion.failed") toast({ kind: "error", key: "toast.deleteFailed" });
  else if (step.type === "restoring.failed") toast({ kind: "error", key: `errors.${step.code}` });
  else if (step.type === "transcription.restored") toast({ kind: "success", key: "toast.restored" });
}

/** The page's instance. */
export const deletions: Deletions = createDeletions({ api: transcriptionsApi, owner: signedInUser, storage, toast });
