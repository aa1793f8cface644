import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { selectMayListen } from "#machines/device-models/selectors.ts";
import {
  type VaultLeftover,
  type VaultRecordingEvent,
  type VaultWords,
  vaultRecordingMachine,
} from "#machines/vault/recording.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { keepAwake } from "#src/audio/wake-lock.ts";
import { inspected } from "#src/browser/inspection.ts";
import { newId } from "#src/browser/new-id.ts";
import { holdPage } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { dateTime } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";
import { createLeftoverDb, type LeftoverDb, type LeftoverRow } from "./leftovers.ts";
import { createLiveWords, createTextWish } from "./live-words.ts";
import { sealNewText } from "./made-text.ts";
import type { VaultMeta } from "./meta.ts";
import type { Parcel } from "./sending.ts";
import { openSoundRecorder, type SoundRecorder } from "./sound-recorder.ts";
import type { Consignment } from "./transfers-actor.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

export type VaultRecorder = ReturnType<typeof createVaultRecorder>;

interface Parts {
  keys: VaultKeys;
  ownerId: string;
  recipient(): string;
  /** Called during recording, which counts as activity. */
  notePresence(): void;
  add(consignment: Consignment): void;
  /** Called when the recording is in the vault without the text that the user wants. */
  onWordless(item: VaultItem): void;
}

/** A running recording. */
interface OpenRecording {
  row: LeftoverRow;
  recorder: SoundRecorder;
  recipient: string;
  /**
   * In memory, because the vault may be locked before the recording ends, and then the encrypted pieces could not be
   * read.
   */
  pieces: Blob[];
  /** Resolves when all pieces are stored in the browser. */
  kept: Promise<void>;
  release(): Promise<void>;
}

export function createVaultRecorder({ keys, ownerId, recipient, notePresence, add, onWordless }: Parts) {
  const db = createLeftoverDb();
  const locks = createRecordingLocks(navigator.locks);
  const [level, elapsed] = [createStore(0), createStore(0)];
  const [words, wantsText] = [createLiveWords(), createTextWish()];
  let open: OpenRecording | undefined;

  const begin = async (signal: AbortSignal): Promise<VaultWords> => {
    const forWhom = recipient();
    elapsed.set(0);
    const recorder = await openSoundRecorder({ level, elapsed }, signal);
    const row = { id: newId(), ownerId, startedAt: Date.now(), type: recorder.type, durationSeconds: 0 };
    const release = (await locks.take(row.id).catch(() => undefined)) ?? (async () => {});
    open = { row, recorder, recipient: forWhom, pieces: [], kept: Promise.resolve(), release };
    if (!wantsText.get()) return "none";
    return selectMayListen(deviceModels().english.actor.getSnapshot()) ? "live" : "afterwards";
  };
  const capture = fromCallback<VaultRecordingEvent, { words: VaultWords }>(({ input, sendBack }) => {
    const current = open;
    if (current === undefined) throw new Error("No recording is open.");
    const [sleep, leave] = [keepAwake(), holdPage()];
    const trouble = () => sendBack({ type: "storage.troubled" });
    const isLive = input.words === "live";
    if (isLive) words.begin((code) => sendBack({ type: "words.failed", code }));
    current.recorder.start({
      onLost: () => sendBack({ type: "microphone.lost" }),
      onFrame: isLive ? words.write : undefined,
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
  /** Encrypts a piece, then stores it in the browser. */
  const keep = async ({ row, recipient: forWhom }: OpenRecording, number: number, piece: Blob): Promise<void> => {
    const bytes = new Uint8Array(await piece.arrayBuffer());
    await db.putPiece(row.id, number, await keys.sealing().ask("sealBytes", { recipient: forWhom, bytes }));
    await db.put(row);
  };
  const finish = async (): Promise<void> => {
    if (open === undefined) return;
    const durationSeconds = await open.recorder.stop();
    open.row = { ...open.row, durationSeconds };
    await open.kept;
  };
  const consign = async (plan: VaultWords): Promise<void> => {
    const done = open;
    open = undefined;
    const segments = words.take();
    if (done === undefined || done.pieces.length === 0) return;
    const { row, recipient: forWhom } = done;
    const made = { id: row.id, meta: metaOf(row), segments };
    const hasText = segments.length > 0 && (plan === "live" || plan === "cut");
    const text = hasText ? await sealNewText(keys.sealing(), forWhom, made) : null;
    transfer(done, new Blob(done.pieces, { type: row.type }), text, plan === "afterwards");
  };
  const transfer = (
    { row, release }: Pick<OpenRecording, "row" | "release">,
    source: Blob,
    text: Parcel["text"] = null,
    isWordless = false,
  ) =>
    add({
      ...consignmentOf(row, source, text),
      onDone: (item) => {
        void removeLeftover(db, row.id, release, actor);
        if (isWordless) onWordless(item);
      },
    });
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
    transfer({ row, release }, new Blob(pieces, { type: row.type }));
  };
  const actor: ActorRefFrom<typeof vaultRecordingMachine> = createActor(
    vaultRecordingMachine.provide({
      actors: {
        capture,
        findLeftovers: fromPromise(leftovers),
        openMicrophone: fromPromise(({ signal }) => begin(signal)),
        finish: fromPromise(finish),
        finishWords: fromPromise(words.end),
        consign: fromPromise(({ input }) => consign(input.words)),
        saveLeftover: fromPromise(({ input }) => save(input.id)),
        discardLeftover: fromPromise(({ input }) => db.remove(input.id)),
      },
      actions: { hideWords: words.hide },
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
    /** The words so far. */
    captions: words.captions,
    /** Whether the next recording should get a text. */
    wantsText,
    stop: () => {
      actor.stop();
      words.take();
      void finish();
    },
  };
}

function metaOf({ startedAt, durationSeconds, type }: LeftoverRow): VaultMeta {
  const recordedAt = new Date(startedAt).toISOString();
  const name = i18n.t("vault:recording.name", { date: dateTime(recordedAt, i18n.language) });
  return { version: 1, name, recordedAt, durationSeconds, type };
}

/** Uses the id in this browser, so that an item that was stored unnoticed is not stored twice. */
function consignmentOf(row: LeftoverRow, source: Blob, text: Parcel["text"]): Consignment {
  const meta = metaOf(row);
  return {
    id: row.id,
    name: meta.name,
    size: source.size,
    prepare: async (id) => ({ id, source, meta, text, transcriptionId: null }),
  };
}

/** Called when the recording is in the vault. */
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
