import { createActor, fromCallback, fromPromise } from "xstate";
import { retimeSegment } from "#contract/correcting/retime.ts";
import { textOf } from "#contract/correcting/text.ts";
import type { Transcription } from "#contract/index.ts";
import { isGone } from "#machines/failure.ts";
import { selectIsTextSaving, vaultReadingMachine } from "#machines/vault/reading.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps, holdPage } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { createTextOutput } from "./export-text.ts";
import { parseText } from "./meta.ts";
import { readText } from "./transfers-actor.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { sealText, VaultFailure } from "./worker.ts";

export type VaultReading = ReturnType<typeof createVaultReading>;

interface Parts {
  api: Pick<VaultApi, "text" | "putText">;
  keys: VaultKeys;
  /** @throws VaultFailure without a vault */
  recipient(): string;
  /** It has another text now. */
  onChanged(id: string): void;
}

/** The texts of the vault's recordings. */
export function createVaultReadings(parts: Parts) {
  const known = new Map<string, VaultReading>();
  const remove = (id: string) => {
    known.get(id)?.stop();
    known.delete(id);
  };
  const tell = (type: "close.requested" | "page.resumed") => {
    for (const { actor } of known.values()) actor.send({ type });
  };
  return {
    /** A stable object per id. */
    of: (id: string): VaultReading => {
      const reading = known.get(id) ?? createVaultReading(id, parts);
      known.set(id, reading);
      return reading;
    },
    remove,
    /** The text was made anew. */
    renew: (id: string) => known.get(id)?.actor.send({ type: "text.replaced" }),
    /** Discards all decrypted texts. What was typed is sealed and stored. */
    close: () => tell("close.requested"),
    /** The vault is unlocked again: what could not be stored then is stored now. */
    resume: () => tell("page.resumed"),
    stop: () => {
      for (const id of [...known.keys()]) remove(id);
    },
  };
}

/** The text of one recording, for the components. */
function createVaultReading(id: string, { api, keys, recipient, onChanged }: Parts) {
  const text = createStore<Transcription | null>(null);
  const typed = createStore("");
  /** A correction that is not on the server yet: sealed, so it may outlast the unlocked vault. */
  let pending: Promise<Uint8Array<ArrayBuffer>> | undefined;

  const sealed = (whole: Transcription) => sealText(keys.sealing(), recipient(), JSON.stringify(whole));
  /** The text with what is typed; undefined when that changes nothing. */
  const correction = (index: number | null): Transcription | undefined => {
    const whole = text.get();
    const segment = index === null ? undefined : whole?.segments[index];
    if (whole === null || segment === undefined || typed.get().trim() === segment.text.trim()) return undefined;
    return corrected(whole, index ?? 0, typed.get());
  };
  const read = async (signal: AbortSignal): Promise<Transcription> => {
    const whole = parseText(await readText(api, keys, id, signal));
    signal.throwIfAborted();
    return whole;
  };
  /** Another tab may have corrected other passages meanwhile, which stay. @throws VaultFailure `conflict` when it was this one */
  const catchUp = async (index: number, signal: AbortSignal) => {
    const present = await read(signal);
    if (present.segments[index]?.text !== text.get()?.segments[index]?.text) throw new VaultFailure("conflict");
    text.set(present);
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
  const machine = vaultReadingMachine.provide({
    actors: {
      open: fromPromise(async ({ signal }) => text.set(await read(signal))),
      save: fromPromise(async ({ input, signal }) => {
        if (correction(input.index) === undefined) return;
        await catchUp(input.index ?? 0, signal);
        const whole = correction(input.index);
        if (whole === undefined) return;
        const bytes = await sealed(whole);
        signal.throwIfAborted();
        await api.putText(id, bytes, signal);
        signal.throwIfAborted();
        text.set(whole);
        onChanged(id);
      }),
      keep: fromPromise(({ signal }) => storePending(signal)),
      holdPage: fromCallback(() => holdPage()),
      wakeUps: createWakeUps(),
    },
    actions: {
      begin: (_, { index }) => {
        typed.set(text.get()?.segments[index ?? 0]?.text ?? "");
        // Its worker is loaded before it is needed: perhaps there is no network then.
        keys.sealing();
      },
      drop: () => typed.set(""),
      seal: (_, { index }) => {
        const whole = correction(index);
        pending = whole === undefined ? undefined : sealed(whole);
      },
      release: () => {
        text.set(null);
        typed.set("");
      },
    },
  });
  const actor = createActor(machine, { ...inspected(), input: { id } }).start();
  const output = createTextOutput(text.get, () => keys.names.get().get(id)?.name ?? "");
  return {
    actor,
    /** null while it is closed. */
    text,
    /** The value of the field that is open. */
    typed,
    /** Saves it as a file. */
    output,
    type: (value: string) => {
      if (!selectIsTextSaving(actor.getSnapshot())) typed.set(value);
    },
    stop: () => {
      actor.stop();
      output.stop();
    },
  };
}

/** Words that stay keep their times. So does the translation of the passage: nothing in the page could make it anew. */
function corrected(whole: Transcription, index: number, typed: string): Transcription {
  const segments = whole.segments.map((segment, at) => {
    if (at !== index) return segment;
    const { translation } = segment;
    return { ...retimeSegment(segment, typed), ...(translation !== undefined && { translation }) };
  });
  return { ...whole, segments, text: textOf(segments) };
}
