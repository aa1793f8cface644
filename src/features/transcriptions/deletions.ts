import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { AcceptedSummary, type TranscriptionSummary, undoMs } from "#contract/index.ts";
import { type DeletionEmitted, deletionMachine, selectCanUndo } from "#machines/transcriptions/deletion.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { storage } from "#src/browser/storage.ts";
import { toast } from "#src/browser/toasts.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";

export type Deletion = ActorRefFrom<typeof deletionMachine>;

const key = "deletions";
const Persisted = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ ownerId: v.string(), transcription: AcceptedSummary, purgeAt: v.number() })),
);

const machine = deletionMachine.provide({
  actors: {
    remove: fromPromise<number, { id: string }>(async ({ input, signal }) => {
      const { purgeAt } = await transcriptionsApi.remove(input.id, signal);
      // This device's clock may differ from the server's: the ten minutes are counted here. A server that names no end has none.
      return purgeAt === undefined ? Date.now() : Date.now() + undoMs;
    }),
    restore: fromPromise<TranscriptionSummary, { id: string }>(({ input, signal }) =>
      transcriptionsApi.update(input.id, { deletedAt: null }, signal),
    ),
  },
  delays: { untilPurge: ({ context }) => Math.max(0, (context.purgeAt ?? 0) - Date.now()) },
});

const listeners = createListeners();
const followers = createListeners<[event: DeletionEmitted | { type: "begun"; id: string }]>();
let actors: readonly Deletion[] = [];
let owner: string | null = null;

function changed(): void {
  const kept = actors.flatMap((actor) => {
    const { context } = actor.getSnapshot();
    // The texts can be large and come back from the server.
    const transcription = { ...context.transcription, text: "", translatedText: "" };
    return context.purgeAt === null || owner === null ? [] : [{ ownerId: owner, transcription, purgeAt: context.purgeAt }];
  });
  const others = readPersisted().filter((entry) => entry.ownerId !== owner && entry.purgeAt > Date.now());
  if (kept.length + others.length > 0) storage.write(key, JSON.stringify([...kept, ...others]));
  else storage.remove(key);
  listeners.emit();
}

function readPersisted(): v.InferOutput<typeof Persisted> {
  const kept = v.safeParse(Persisted, storage.read(key));
  return kept.success ? kept.output : [];
}

function start(transcription: TranscriptionSummary, purgeAt: number | null): void {
  const actor = createActor(machine, { ...inspected(), input: { transcription, purgeAt } });
  for (const type of ["deleted", "deletion.failed", "restored", "restoring.failed", "purged"] as const) {
    actor.on(type, (event) => {
      announce(event);
      followers.emit(event);
    });
  }
  let could = purgeAt !== null;
  actor.subscribe({
    next: (snapshot) => {
      if (could === selectCanUndo(snapshot)) return;
      could = !could;
      changed();
    },
    complete: () => {
      // Stopped because somebody else has signed in: what is kept stays theirs.
      if (!actors.includes(actor)) return;
      actors = actors.filter((one) => one !== actor);
      changed();
    },
  });
  actors = [actor, ...actors];
  actor.start();
}

function announce(event: DeletionEmitted): void {
  if (event.type === "deletion.failed") toast({ kind: "error", key: "toast.deleteFailed" });
  else if (event.type === "restoring.failed") toast({ kind: "error", key: `errors.${event.code}` });
  else if (event.type === "restored") toast({ kind: "success", key: "toast.restored" });
}

/** Those of whoever is signed in now; what a reload interrupted can still be undone. */
function ofOwner(): readonly Deletion[] {
  if (owner === currentUserId()) return actors;
  owner = currentUserId();
  const others = actors;
  actors = [];
  for (const actor of others) actor.stop();
  // The newest is started last: it stands first.
  for (const { ownerId, transcription, purgeAt } of readPersisted().toReversed()) {
    if (ownerId === owner && purgeAt > Date.now()) start(transcription, purgeAt);
  }
  return actors;
}

/** What is being deleted, or was in the last ten minutes. */
export const deletions = {
  /** Newest first; the same array as long as nothing changes. */
  list: ofOwner,
  find: (id: string): Deletion | undefined => ofOwner().find((actor) => actor.getSnapshot().context.transcription.id === id),
  /** The call is made at once. */
  begin(transcription: TranscriptionSummary): void {
    if (deletions.find(transcription.id) !== undefined) return;
    // A whole transcription has segments too, for which the browser's storage has no room.
    start(v.parse(AcceptedSummary, transcription), null);
    followers.emit({ type: "begun", id: transcription.id });
    changed();
  },
  subscribe: listeners.subscribe,
  /** Hears what becomes of each. */
  follow: followers.subscribe,
};
