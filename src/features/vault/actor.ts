import { createActor, fromPromise, waitFor } from "xstate";
import type { Transcription, VaultItem } from "#contract/index.ts";
import { selectIsOnDevice } from "#machines/device-models/selectors.ts";
import { codeOf, isGone } from "#machines/failure.ts";
import { vaultMachine } from "#machines/vault/machine.ts";
import { passphraseMachine } from "#machines/vault/passphrase.ts";
import { selectIsOpen, selectItems, selectRecipient, selectScreen, type VaultActor } from "#machines/vault/selectors.ts";
import { audioPath } from "#src/api/transcriptions.ts";
import { createVaultApi } from "#src/api/vault.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { call, send } from "#src/features/session/api.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { draftsOf } from "#src/features/transcription/drafts.ts";
import { openedTranscriptions } from "#src/features/transcriptions/actor.ts";
import { durationOf } from "./duration.ts";
import { createVaultItems } from "./items-actor.ts";
import { withOwnType } from "./media-type.ts";
import { fileNameOf, longestName, type VaultMeta } from "./meta.ts";
import { createPresence, type Presence } from "./presence.ts";
import { createVaultReadings } from "./reading-actor.ts";
import { createVaultRecorder } from "./recording-actor.ts";
import { createVaultSearch } from "./search-actor.ts";
import { createVaultTexts } from "./texts-actor.ts";
import { createVaultTransfers } from "./transfers-actor.ts";
import { createTranslators } from "./translators.ts";
import { createVaultKeys, type VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

export type OpenVault = ReturnType<typeof createVault>;

const api = createVaultApi(call, send);
// Signing out locks the vault. Transfers wait for their owner, and another user sees nothing of it.
const vaults = perOwner<OpenVault>({
  end: (vault) => vault.stop(),
  signedOut: (vault) => {
    leaveVault();
    vault.actor.send({ type: "lock.requested" });
    vault.actor.send({ type: "cancel.requested" });
  },
});

/** The signed-in user's vault, one for each user. It lives as long as the page, whatever route is open. */
export function openVault(): OpenVault {
  const known = vaults.mine();
  known?.actor.send({ type: "reload.requested" });
  return known ?? vaults.replace((ownerId) => createVault(ownerId ?? ""));
}

/**
 * A transcription outside of the vault. `plain` is null when it does not exist; `problem` is the error if that is
 * unknown.
 * @param id may be the id of a recording in the vault
 */
export async function findPlain(
  { actor }: OpenVault,
  id: string,
  signal: AbortSignal,
): Promise<{ plain: Transcription | null; problem: string | null }> {
  try {
    const vault = await waitFor(actor, (snapshot) => selectScreen(snapshot) !== "checking", { signal });
    if (selectItems(vault).some((item) => item.id === id && item.transcriptionId !== id)) return { plain: null, problem: null };
    return { plain: await transcriptionsApi.get(id, signal), problem: null };
  } catch (error) {
    return { plain: null, problem: isGone(error) ? null : codeOf(error) };
  }
}

/**
 * Called when the user leaves the route. Stops playback and recording, because nobody is recorded unseen, and withdraws
 * open questions.
 */
export function leaveVault(): void {
  vaults.opened()?.recorder.actor.send({ type: "stop.requested" });
  vaults.opened()?.items.close();
  vaults.opened()?.actor.send({ type: "erase.cancelled" });
}

/** One user's vault for the pages. Typed secrets bypass the machine. */
function createVault(ownerId: string) {
  const keys = createVaultKeys(api);
  const presence = createPresence(ownerId, Date.now);
  const actor: VaultActor = createActor(provide(keys, presence), { ...inspected(), input: { now: Date.now } });
  const recipient = () => {
    const known = selectRecipient(actor.getSnapshot());
    if (known === null) throw new VaultFailure("locked");
    return known;
  };
  const find = (id: string) => selectItems(actor.getSnapshot()).find((item) => item.id === id);
  const search = createVaultSearch({ api, keys, items: () => selectItems(actor.getSnapshot()) });
  const translators = createTranslators();
  const notePresence = presence.note;
  const readings = createVaultReadings({ api, keys, translators, recipient, notePresence, onChanged: search.forget });
  const onChanged = (item: VaultItem) => actor.send({ type: "item.changed", item });
  const onStored = (item: VaultItem) => {
    onChanged(item);
    readings.renew(item.id);
    search.forget(item.id);
    toast({ kind: "success", key: "vault:words.stored" });
  };
  const texts = createVaultTexts({ api, keys, recipient, find, notePresence, onStored });
  const items = createVaultItems({
    api,
    keys,
    recipient,
    notePresence,
    find,
    onRenamed: onChanged,
    onRemoved: (id) => {
      texts.actor.send({ type: "cancel.requested", id });
      readings.remove(id);
      search.forget(id);
      actor.send({ type: "item.removed", id });
    },
  });
  const moved = createStore<ReadonlySet<string>>(new Set());
  const onItem = (item: VaultItem) => {
    search.forget(item.id);
    actor.send({ type: "item.added", item });
  };
  const transfers = createVaultTransfers({ api, keys, ownerId, recipient, onItem });
  const recorder = createVaultRecorder({
    keys,
    ownerId,
    recipient,
    notePresence,
    add: (one) => transfers.add([one]),
    onWordless: ({ id }) => {
      // Otherwise the item's page offers it.
      if (selectIsOpen(actor.getSnapshot()) && isModelHere()) texts.actor.send({ type: "text.requested", id });
    },
  });
  actor.on("vault.locked", () => {
    items.close();
    readings.lock();
    search.clear();
    texts.actor.send({ type: "vault.locked" });
    // Stops recording, because nobody is recorded unseen. The recording so far is stored, because its encryption needs
    // no secret key.
    recorder.actor.send({ type: "vault.locked" });
    presence.lockOthers();
  });
  actor.on("passphrase.changed", () => toast({ kind: "success", key: "vault:passphrase.changed" }));
  let wasOpen = false;
  actor.subscribe((snapshot) => {
    if (!wasOpen && selectIsOpen(snapshot)) {
      // Interrupted recordings can only be stored while the vault is open.
      recorder.actor.send({ type: "leftovers.changed" });
      readings.resume();
    }
    wasOpen = selectIsOpen(snapshot);
  });
  actor.start();
  const passphrase = createActor(passphraseMachine, inspected()).start();
  const enter = (
    typed: Parameters<VaultKeys["enter"]>[0],
    type: "create.requested" | "unlock.requested" | "recover.requested" | "passphrase.chosen",
  ) => {
    keys.enter(typed);
    actor.send({ type });
  };
  return {
    actor,
    /** The actor of the form for a new passphrase. */
    passphrase,
    items,
    readings,
    search,
    transfers,
    recorder,
    /** Transcribes items on this device. */
    texts,
    translators,
    names: keys.names,
    recoveryKey: keys.recoveryKey,
    create: (passphrase: string) => enter({ passphrase }, "create.requested"),
    unlock: (passphrase: string) => enter({ passphrase }, "unlock.requested"),
    recover: (recoveryKey: string) => enter({ recoveryKey }, "recover.requested"),
    /** @param present "" after a recovery */
    choosePassphrase: (next: string, present: string) => enter({ next, passphrase: present }, "passphrase.chosen"),
    addFiles: (files: readonly File[]) => transfers.add(files.map(consignmentOfFile)),
    /** Transcriptions moved since the page was opened. */
    moved,
    /** Moves a transcription with its audio into the vault and deletes the original. Resumes an interrupted move. */
    move: (transcription: Transcription) => {
      const onDone = () => {
        moved.set(new Set(moved.get()).add(transcription.id));
        draftsOf(ownerId, transcription.id).keep(null);
        openedTranscriptions()?.send({ type: "transcriptions.removed", ids: [transcription.id] });
      };
      transfers.add([{ ...consignmentOfTranscription(transcription), onDone }]);
    },
    /** Saves the sealed key as a file for `age -d -i`. */
    saveKeyFile: () => {
      const { vault } = actor.getSnapshot().context;
      if (vault !== null) downloadFile(new Blob([vault.sealed], { type: "text/plain" }), "parlance-vault-key.age");
    },
    stop: () => {
      recorder.stop();
      texts.actor.stop();
      items.close();
      readings.stop();
      search.stop();
      transfers.stop();
      passphrase.stop();
      actor.stop();
      keys.stop();
      presence.stop();
    },
  };
}

const isModelHere = () => selectIsOnDevice(deviceModels().english.actor.getSnapshot());

function provide(keys: VaultKeys, presence: Presence) {
  return vaultMachine.provide({
    actors: {
      load: fromPromise(({ signal }) => api.all(signal)),
      create: fromPromise(() => keys.create()),
      store: fromPromise(({ signal }) => keys.store(signal)),
      unlock: fromPromise(({ input }) => keys.unlock(input.vault)),
      recover: fromPromise(({ input }) => keys.recover(input.vault)),
      reseal: fromPromise(({ input, signal }) => keys.reseal(input.vault, signal)),
      readNames: fromPromise(({ input, signal }) => keys.readNames(input.items, signal)),
      erase: fromPromise(async ({ signal }) => void (await api.erase(signal))),
      // Rejects without https, because there is no clipboard then.
      copyRecoveryKey: fromPromise(async () => navigator.clipboard.writeText(keys.recoveryKey.get() ?? "")),
      presence: presence.actor,
    },
    actions: { clearKeys: keys.clear },
  });
}

function consignmentOfFile(file: File) {
  return {
    name: file.name,
    size: file.size,
    prepare: async (id: string, signal: AbortSignal) => {
      if (file.size === 0) throw new VaultFailure("emptyFile");
      const recordedAt = new Date(file.lastModified).toISOString();
      const sound = await withOwnType(file);
      const durationSeconds = await durationOf(sound, signal);
      const name = file.name.slice(-longestName);
      const meta: VaultMeta = { version: 1, name, recordedAt, durationSeconds, type: sound.type };
      return { id, source: file, meta, text: null, transcriptionId: null };
    },
  };
}

/** Uses the transcription's own id, so that an item stored by an earlier page is not stored twice. */
function consignmentOfTranscription(transcription: Transcription) {
  const { id: transcriptionId, title, date, durationSeconds } = transcription;
  return {
    id: transcriptionId,
    name: title,
    size: 0,
    moves: true,
    prepare: async (id: string, signal: AbortSignal) => {
      // Fetches the whole file, because the original is deleted afterwards. For playback, the server may send only one
      // track.
      const answer = await send(`${audioPath(transcriptionId)}?download`, { signal });
      const source = await answer.blob();
      const { type } = await withOwnType(source);
      const name = title === "" ? fileNameOf({ name: transcription.fileName ?? "", type: "" }) : title;
      const meta: VaultMeta = { version: 1, name: name.slice(0, longestName), recordedAt: date, durationSeconds, type };
      return { id, source, meta, text: JSON.stringify(transcription), transcriptionId };
    },
  };
}
