import { createActor, fromCallback, fromPromise } from "xstate";
import { retimeSegment } from "#contract/correcting/retime.ts";
import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import type { Segment, Transcription } from "#contract/index.ts";
import { selectIsOnDevice } from "#machines/device-models/selectors.ts";
import { isGone } from "#machines/failure.ts";
import { selectIsTextSaving, vaultReadingMachine } from "#machines/vault/reading.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps, holdPage } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { createTextOutput } from "./export-text.ts";
import { parseText } from "./meta.ts";
import { textLock } from "./text-lock.ts";
import { readText } from "./transfers-actor.ts";
import { isSpokenIn } from "./translated-text.ts";
import { createVaultTranslation } from "./translation-actor.ts";
import type { Translators } from "./translators.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { sealText, VaultFailure } from "./worker.ts";

export type VaultReading = ReturnType<typeof createVaultReading>;

interface Parts {
  api: Pick<VaultApi, "text" | "putText">;
  keys: VaultKeys;
  translators: Translators;
  /** @throws VaultFailure without a vault */
  recipient(): string;
  notePresence(): void;
  /** Called when the item's text has changed. */
  onChanged(id: string): void;
}

/** The texts of the vault's recordings. */
export function createVaultReadings(parts: Parts) {
  const known = new Map<string, VaultReading>();
  const remove = (id: string) => {
    known.get(id)?.stop();
    known.delete(id);
  };
  return {
    /** Returns the same object for the same id. */
    of: (id: string): VaultReading => {
      const reading = known.get(id) ?? createVaultReading(id, parts);
      known.set(id, reading);
      return reading;
    },
    remove,
    /** Reloads a text that was made again. */
    renew: (id: string) => known.get(id)?.actor.send({ type: "text.replaced" }),
    /** Discards all decrypted texts and translations. Typed text is sealed and stored. */
    lock: () => {
      for (const { actor, translation } of known.values()) {
        translation.actor.send({ type: "vault.locked" });
        actor.send({ type: "close.requested" });
      }
    },
    /** Stores pending corrections after the vault was unlocked again. */
    resume: () => {
      for (const { actor } of known.values()) actor.send({ type: "page.resumed" });
    },
    stop: () => {
      for (const id of [...known.keys()]) remove(id);
    },
  };
}

/** The text of one recording, for components. */
function createVaultReading(id: string, { api, keys, translators, recipient, notePresence, onChanged }: Parts) {
  const alone = textLock(id);
  const text = createStore<Transcription | null>(null);
  const typed = createStore("");
  /** A correction that is not on the server yet. It is sealed, so it may be kept after the vault is locked. */
  let pending: Promise<Uint8Array<ArrayBuffer>> | undefined;

  const sealed = (whole: Transcription) => sealText(keys.sealing(), recipient(), JSON.stringify(whole));
  /** The text with the typed correction; undefined when nothing changes. */
  const correction = (index: number | null): Transcription | undefined => {
    const whole = text.get();
    const segment = index === null ? undefined : whole?.segments[index];
    if (whole === null || segment === undefined || typed.get().trim() === segment.text.trim()) return undefined;
    return corrected(whole, index ?? 0, typed.get(), translators);
  };
  const read = async (signal: AbortSignal): Promise<Transcription> => {
    const whole = parseText(await readText(api, keys, id, signal));
    signal.throwIfAborted();
    return whole;
  };
  /**
   * Takes over corrections that another tab has made to other passages meanwhile.
   * @throws VaultFailure `conflict` when the other tab has corrected this one
   */
  const catchUp = async (index: number, signal: AbortSignal) => {
    const present = await read(signal);
    if (present.segments[index]?.text !== text.get()?.segments[index]?.text) throw new VaultFailure("conflict");
    text.set(present);
  };
  const put = async (whole: Transcription, signal: AbortSignal) => {
    const bytes = await sealed(whole);
    signal.throwIfAborted();
    await api.putText(id, bytes, signal);
    signal.throwIfAborted();
    onChanged(id);
  };
  const save = async (index: number | null, signal: AbortSignal) => {
    if (correction(index) === undefined) return;
    await catchUp(index ?? 0, signal);
    const whole = correction(index);
    if (whole === undefined) return;
    await put(whole, signal);
    text.set(whole);
  };
  const storePending = async (signal: AbortSignal) => {
    if (pending === undefined) return;
    try {
      await api.putText(id, await pending, signal);
      onChanged(id);
    } catch (error) {
      // The recording was deleted meanwhile.
      if (!isGone(error)) throw error;
    }
    pending = undefined;
  };
  /**
   * Changes the stored text, and applies the same change to the visible one. An open field keeps its original passage.
   */
  const change = async (alter: (whole: Transcription) => Transcription, signal: AbortSignal) => {
    // Repeats if a correction was made meanwhile, because it does not contain the change.
    do {
      await storePending(signal);
      await put(alter(await read(signal)), signal);
    } while (pending !== undefined);
    const shown = text.get();
    if (shown !== null) text.set(alter(shown));
  };
  const machine = vaultReadingMachine.provide({
    actors: {
      open: fromPromise(async ({ signal }) => text.set(await read(signal))),
      save: fromPromise(({ input, signal }) => alone(() => save(input.index, signal))),
      keep: fromPromise(({ signal }) => alone(() => storePending(signal))),
      holdPage: fromCallback(() => holdPage()),
      wakeUps: createWakeUps(),
    },
    actions: {
      begin: (_, { index }) => {
        typed.set(text.get()?.segments[index ?? 0]?.text ?? "");
        // Loads the worker in advance, because there may be no network later.
        keys.sealing();
      },
      drop: () => typed.set(""),
      seal: (_, { index }) => {
        const whole = correction(index);
        pending = whole === undefined ? undefined : sealed(whole);
        // Prevents an unhandled rejection: nobody may be waiting for it yet.
        pending?.catch(() => {});
      },
      release: () => {
        text.set(null);
        typed.set("");
      },
    },
  });
  const actor = createActor(machine, { ...inspected(), input: { id } }).start();
  const translation = createVaultTranslation({
    translators,
    read,
    change: (alter, signal) => alone(() => change(alter, signal)),
    notePresence,
  });
  const output = createTextOutput(text.get, () => keys.names.get().get(id)?.name ?? "");
  return {
    actor,
    /** The text; null while it is closed. */
    text,
    /** The value of the open field. */
    typed,
    /** Saves the text as a file. */
    output,
    translation,
    type: (value: string) => {
      if (!selectIsTextSaving(actor.getSnapshot())) typed.set(value);
    },
    stop: () => {
      actor.stop();
      translation.actor.stop();
      output.stop();
    },
  };
}

/**
 * Unchanged words keep their times. The passage's translation is outdated: it is removed if this device can make it
 * again.
 */
function corrected(whole: Transcription, index: number, typed: string, translators: Translators): Transcription {
  const segments = whole.segments.map((segment, at) => {
    if (at !== index) return segment;
    const { translation } = segment;
    const stays = translation !== undefined && !isMadeHere(whole, segment, translators);
    return { ...retimeSegment(segment, typed), ...(stays && { translation }) };
  });
  return { ...whole, segments, text: textOf(segments), translatedText: translatedTextOf(segments) };
}

/** Whether this device has the model that translates the passage. */
function isMadeHere(whole: Transcription, segment: Segment, translators: Translators): boolean {
  const source = translators.languageOf(whole);
  if (whole.targetLanguage === null || !isSpokenIn(source, segment)) return false;
  const model = translators.find(source, whole.targetLanguage);
  return model !== undefined && selectIsOnDevice(model.actor.getSnapshot());
}
