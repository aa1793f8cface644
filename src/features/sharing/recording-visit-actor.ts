import { createActor, fromPromise } from "xstate";
import { type OpenedVaultLink, readVaultLink, type VaultLinkAddress, vaultLinkFragment } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { type RecordingVisitActor, type RecordingVisitEvent, recordingVisitMachine } from "#machines/sharing/recording-visit.ts";
import { createCall } from "#src/api/http.ts";
import { createRecordingVisitApi } from "#src/api/sharing.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { plainSend } from "#src/features/session/actor.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { createBlobPlayer } from "#src/features/vault/blob-player.ts";
import { fetchPlain } from "#src/features/vault/fetching.ts";
import type { SharedAbout } from "#src/features/vault/link-crypto.ts";
import { startWorker, VaultFailure, type VaultWorker } from "#src/features/vault/worker.ts";
import { loadTexts } from "#src/i18n/index.ts";

// Without a token, whoever is signed in: a link shows everybody the same.
const api = createRecordingVisitApi(createCall(plainSend), plainSend);

/** What a link shows, once it is opened here. */
export interface ShownRecording extends SharedAbout {
  /** Of the encrypted sound, in bytes; null: it is without. */
  size: number | null;
  /** ISO 8601; null: until it is revoked. */
  expiresAt: string | null;
}

/** The page of a link to a recording in a vault. What opens it, and what is opened, is in no machine. */
export interface RecordingVisit {
  actor: RecordingVisitActor;
  shown: ReadableStore<ShownRecording | null>;
  /** null until the sound is decrypted. */
  player: ReadableStore<Player | null>;
  /** How much of the sound is there, from 0 to 1. */
  fetched: ReadableStore<number>;
}

interface Open extends RecordingVisit {
  end(): void;
}

function begin(address: VaultLinkAddress | undefined): Open {
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
  const machine = recordingVisitMachine.provide({
    actors: {
      fetch: fromPromise<{ locked: boolean }>(async ({ signal }) => {
        if (address === undefined) throw new VaultFailure("noKey");
        given = await api.open(address.id, address.secret, signal);
        return { locked: given.locked };
      }),
      unseal: fromPromise<void, { passphrase: string | null }>(async ({ input: { passphrase }, signal }) => {
        if (address === undefined || given === undefined) throw new VaultFailure("noKey");
        const { sealed, size, expiresAt } = given;
        worker ??= startWorker();
        const about = await worker.ask("openLink", { sealed, key: address.key, passphrase }).catch((error: unknown) => {
          // One that did not load is not asked again.
          if (codeOf(error) === "network") worker = undefined;
          throw error;
        });
        signal.throwIfAborted();
        shown.set({ ...about, size, expiresAt });
      }),
      fetchSound: fromPromise<void>(async ({ signal }) => {
        const recording = shown.get();
        if (address === undefined || worker === undefined || recording?.size == null) throw new VaultFailure("noKey");
        const { size, type } = recording;
        fetched.set(0);
        const wanted = { api, id: address.id, size, signal, onBytes: (bytes: number) => fetched.set(bytes / size) };
        const sound = await fetchPlain(wanted, worker, type);
        signal.throwIfAborted();
        player.set(createBlobPlayer(sound, () => {}));
      }),
      wakeUps: createWakeUps<RecordingVisitEvent>(),
    },
    actions: { forget },
  });
  const actor = createActor(machine, inspected()).start();
  const stop = keepAddress(address);
  const end = () => {
    stop();
    actor.stop();
    forget();
    worker?.end();
  };
  return { actor, shown, player, fetched, end };
}

/**
 * The key stays in the address, so that a reload and a bookmark open it again: a fragment is sent to no server. Another link that is put there
 * is another page; what else changes the fragment (the way to the content) takes no link away.
 */
function keepAddress(address: VaultLinkAddress | undefined): () => void {
  const listen = new AbortController();
  const follow = () => {
    if (readVaultLink(location.hash) !== undefined) location.reload();
    else if (address !== undefined) history.replaceState(history.state, "", `#${vaultLinkFragment(address)}`);
  };
  addEventListener("hashchange", follow, { signal: listen.signal });
  return () => listen.abort();
}

let open: Open | undefined;

/** Opens the link in the page's address; while it is open it is the same. */
export async function enterRecordingVisit(): Promise<RecordingVisit> {
  await Promise.all([loadTexts("app"), loadTexts("visit")]);
  open ??= begin(readVaultLink(location.hash));
  return open;
}

/** The page is left: what was decrypted is discarded. */
export function leaveRecordingVisit(): void {
  open?.end();
  open = undefined;
}
