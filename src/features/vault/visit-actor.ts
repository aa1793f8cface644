import { createActor, fromPromise } from "xstate";
import { type OpenedVaultLink, readVaultLink, type VaultLinkAddress, vaultLinkFragment } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { type VisitEvent, visitMachine } from "#machines/sharing/visit.ts";
import { createCall } from "#src/api/http.ts";
import { createRecordingVisitApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { plainSend } from "#src/features/session/actor.ts";
import { createVisits, type LinkVisit } from "#src/features/sharing/open-visit.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { createBlobPlayer } from "./blob-player.ts";
import { fetchPlain } from "./fetching.ts";
import type { SharedAbout } from "./link-crypto.ts";
import { playedTrackOf } from "./played-track.ts";
import { startWorker, VaultFailure, type VaultWorker } from "./worker.ts";

// Sends no token, even if somebody is signed in, because a link shows the same to everybody.
const api = createRecordingVisitApi(createCall(plainSend), plainSend);

/** The decrypted content of a link. */
export interface ShownRecording extends SharedAbout {
  /** Size of the encrypted audio in bytes; null: without audio. */
  size: number | null;
  /** ISO 8601; null: valid until revoked. */
  expiresAt: string | null;
}

export interface RecordingVisit extends LinkVisit<ShownRecording> {
  /** null until the audio is decrypted. */
  player: ReadableStore<Player | null>;
  /** Fetched part of the audio, from 0 to 1. */
  fetched: ReadableStore<number>;
}

function begin(address: VaultLinkAddress | undefined): RecordingVisit {
  const shown = createStore<ShownRecording | null>(null);
  const player = createStore<Player | null>(null);
  const fetched = createStore(0);
  let given: OpenedVaultLink | undefined;
  let worker: VaultWorker | undefined;
  const forget = () => {
    player.get()?.actor.stop();
    player.set(null);
    shown.set(null);
  };
  const machine = visitMachine.provide({
    actors: {
      open: fromPromise(async ({ input: { passphrase = null }, signal }) => {
        if (address === undefined) throw new VaultFailure("noKey");
        // Tries a passphrase on the server's earlier answer.
        if (passphrase === null || given === undefined) given = await api.open(address.id, address.secret, signal);
        const { sealed, locked, size, expiresAt } = given;
        if (locked && passphrase === null) return { locked };
        worker ??= startWorker();
        const about = await worker.ask("openLink", { sealed, key: address.key, passphrase }).catch((error: unknown) => {
          // Discards a worker that failed to load, so that the next attempt starts a new one.
          if (codeOf(error) === "network") worker = undefined;
          throw error;
        });
        signal.throwIfAborted();
        shown.set({ ...about, size, expiresAt });
        return { locked: false };
      }),
      fetchSound: fromPromise(async ({ signal }) => {
        const recording = shown.get();
        if (address === undefined || worker === undefined || recording?.size == null) throw new VaultFailure("noKey");
        const { size, type } = recording;
        fetched.set(0);
        const wanted = { api, id: address.id, size, signal, onBytes: (bytes: number) => fetched.set(bytes / size) };
        const sound = await playedTrackOf(await fetchPlain(wanted, worker, type));
        signal.throwIfAborted();
        player.set(createBlobPlayer(sound, () => {}));
      }),
      wakeUps: createWakeUps<VisitEvent>(),
    },
    actions: { forget },
  });
  const actor = createActor(machine, inspected()).start();
  const end = () => {
    actor.stop();
    forget();
    worker?.end();
  };
  return { actor, shown, player, fetched, end };
}

/** The page of a link to a recording in a vault. */
export const recordingVisits = createVisits({ read: readVaultLink, fragmentOf: vaultLinkFragment, begin });
