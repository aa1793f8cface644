import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { type VaultLeftover, type VaultRecordingEvent, vaultRecordingMachine } from "#machines/vault/recording.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { keepAwake } from "#src/audio/wake-lock.ts";
import { inspected } from "#src/browser/inspection.ts";
import { newId } from "#src/browser/new-id.ts";
import { holdPage } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { dateTime } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";
import { createLeftoverDb, type LeftoverDb, type LeftoverRow } from "./leftovers.ts";
import { openSoundRecorder, type SoundRecorder } from "./sound-recorder.ts";
import type { Consignment } from "./transfers-actor.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

export type VaultRecorder = ReturnType<typeof createVaultRecorder>;

interface Parts {
  keys: VaultKeys;
  ownerId: string;
  recipient(): string;
  /** Recording counts as activity. */
  notePresence(): void;
  add(consignment: Consignment): void;
}

/** A running recording. */
interface OpenRecording {
  row: LeftoverRow;
  recorder: SoundRecorder;
  recipient: string;
  /** In memory: the vault may be locked before it ends, and the encrypted pieces could not be read then. */
  pieces: Blob[];
  /** Resolves when all pieces are stored in the browser. */
  kept: Promise<void>;
  release(): Promise<void>;
}

export function createVaultRecorder({ keys, ownerId, recipient, notePresence, add }: Parts) {
  const db = createLeftoverDb();
  const locks = createRecordingLocks(navigator.locks);
  const [level, elapsed] = [createStore(0), createStore(0)];
  let open: OpenRecording | undefined;
  const consign = (row: LeftoverRow, source: Blob, release: () => Promise<void>) =>
    add(consignmentOf(row, source, () => void removeLeftover(db, row.id, release, actor)));

  const begin = async (signal: AbortSignal): Promise<void> => {
    const forWhom = recipient();
    elapsed.set(0);
    const recorder = await openSoundRecorder({ level, elapsed }, signal);
    const row = { id: newId(), ownerId, startedAt: Date.now(), type: recorder.type, durationSeconds: 0 };
    const release = (await locks.take(row.id).catch(() => undefined)) ?? (async () => {});
    open = { row, recorder, recipient: forWhom, pieces: [], kept: Promise.resolve(), release };
  };
  const capture = fromCallback<VaultRecordingEvent>(({ sendBack }) => {
    const current = open;
    if (current === undefined) throw new Error("No recording is open.");
    const [sleep, leave] = [keepAwake(), holdPage()];
    const trouble = () => sendBack({ type: "storage.troubled" });
    current.recorder.start({
      onLost: () => sendBack({ type: "microphone.lost" }),
      onPiece: (piece, seconds) => {
        notePresence();
        const number = current.pieces.push(piece) - 1;
        current.row = { ...current.row, durationSeconds: seconds };
        current.kept = current.kept.then(() => keep(current, number, piece)).catch(trouble);
      },
    });
    return () => {
      sleep();
      leave();
    };
  });
  /** Encrypted before it is stored in the browser. */
  const keep = async ({ row, recipient: forWhom }: OpenRecording, number: number, piece: Blob): Promise<void> => {
    const bytes = new Uint8Array(await piece.arrayBuffer());
    await db.putPiece(row.id, number, await keys.sealing().ask("sealBytes", { recipient: forWhom, bytes }));
    await db.put(row);
  };
  const finish = async (): Promise<void> => {
    const done = open;
    open = undefined;
    if (done === undefined) return;
    const durationSeconds = await done.recorder.stop();
    const row = { ...done.row, durationSeconds };
    if (done.pieces.length > 0) consign(row, new Blob(done.pieces, { type: row.type }), done.release);
    await done.kept;
  };
  const leftovers = async (): Promise<readonly VaultLeftover[]> => {
    const rows = await db.list(ownerId);
    const taken = await locks.taken();
    return rows
      .filter(({ id }) => !taken.has(id))
      .map(({ id, startedAt, durationSeconds }) => ({ id, startedAt, durationSeconds }))
      .sort((one, other) => one.startedAt - other.startedAt);
  };
  const save = async (id: string): Promise<void> => {
    const worker = keys.opened();
    const row = (await db.list(ownerId)).find((one) => one.id === id);
    const release = await locks.take(id);
    if (row === undefined || release === undefined) throw new VaultFailure("unreadable");
    const pieces: Blob[] = [];
    for (const bytes of await db.pieces(id)) pieces.push(new Blob([await worker.ask("openBytes", { bytes })]));
    consign(row, new Blob(pieces, { type: row.type }), release);
  };
  const actor: ActorRefFrom<typeof vaultRecordingMachine> = createActor(
    vaultRecordingMachine.provide({
      actors: {
        capture,
        findLeftovers: fromPromise(leftovers),
        openMicrophone: fromPromise(({ signal }) => begin(signal)),
        finish: fromPromise(finish),
        saveLeftover: fromPromise(({ input }) => save(input.id)),
        discardLeftover: fromPromise(({ input }) => db.remove(input.id)),
      },
    }),
    inspected(),
  );
  actor.start();
  return {
    actor,
    /** The audio level from 0 to 1. */
    level,
    /** Seconds. */
    elapsed,
    stop: () => {
      actor.stop();
      void finish();
    },
  };
}

function consignmentOf(row: LeftoverRow, source: Blob, onDone: () => void): Consignment {
  const recordedAt = new Date(row.startedAt).toISOString();
  const name = i18n.t("vault:recording.name", { date: dateTime(recordedAt, i18n.language) });
  const meta = { version: 1, name, recordedAt, durationSeconds: row.durationSeconds, type: row.type } as const;
  // The same id as in this browser: an item that was stored without our notice is not stored twice.
  return {
    id: row.id,
    name,
    size: source.size,
    prepare: async (id) => ({ id, source, meta, text: null, transcriptionId: null }),
    onDone,
  };
}

/** It is in the vault. */
async function removeLeftover(
  db: LeftoverDb,
  id: string,
  release: () => Promise<void>,
  actor: ActorRefFrom<typeof vaultRecordingMachine>,
): Promise<void> {
  await db.remove(id).catch(() => {});
  await release();
  actor.send({ type: "leftovers.changed" });
}
