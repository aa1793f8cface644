import { createActor, fromCallback, fromPromise } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { selectIsOnDevice } from "#machines/device-models/selectors.ts";
import { type TranslationOrder, type VaultTranslationEvent, vaultTranslationMachine } from "#machines/vault/translation.ts";
import { inspected } from "#src/browser/inspection.ts";
import { holdPage } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import { DeviceFailure } from "#src/features/device-models/failure.ts";
import { failByModel } from "./problem.ts";
import { translated, untranslated } from "./translated-text.ts";
import type { Translators } from "./translators.ts";

export type VaultTranslation = ReturnType<typeof createVaultTranslation>;

interface Parts {
  translators: Pick<Translators, "find">;
  /** Reads the stored text. */
  read(signal: AbortSignal): Promise<Transcription>;
  /** Stores the changed text. */
  change(alter: (whole: Transcription) => Transcription, signal: AbortSignal): Promise<void>;
  /** Called during translation, which counts as activity: the vault stays open until it is done. */
  notePresence(): void;
}

const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

/** Translates the text of one recording on this device. Continues while another page is open. */
export function createVaultTranslation({ translators, read, change, notePresence }: Parts) {
  const fraction = createStore(0);
  /** The translations so far, by source text, and their language. */
  let made = new Map<string, string>();
  let madeInto = "";

  const translate = async (order: TranslationOrder, signal: AbortSignal) => {
    fraction.set(0);
    const model = translators.find(order.source, order.target);
    if (model === undefined) failByModel(new DeviceFailure("absent"));
    if (madeInto !== order.target) made = new Map();
    madeInto = order.target;
    const batches = untranslated(await read(signal), order, made);
    const total = charactersOf(batches.flat());
    let done = 0;
    for (const texts of batches) {
      const translations = await model.translate(texts, signal).catch(failByModel);
      signal.throwIfAborted();
      for (const [at, text] of texts.entries()) made.set(text, translations[at] ?? "");
      done += charactersOf(texts);
      fraction.set(done / total);
      notePresence();
    }
  };
  const machine = vaultTranslationMachine.provide({
    actors: {
      model: fromCallback<VaultTranslationEvent, { order: TranslationOrder }>(({ input, sendBack }) => {
        const model = translators.find(input.order.source, input.order.target)?.actor;
        const tell = () => {
          if (model === undefined || selectIsOnDevice(model.getSnapshot())) sendBack({ type: "model.arrived" });
        };
        tell();
        return model?.subscribe(tell).unsubscribe;
      }),
      translate: fromPromise(({ input, signal }) => translate(input.order, signal)),
      store: fromPromise(({ input, signal }) => change((whole) => translated(whole, input.order, made), signal)),
      holdPage: fromCallback(() => holdPage()),
    },
    actions: {
      release: () => {
        made = new Map();
      },
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("translation.stored", () => toast({ kind: "success", key: "vault:translation.stored" }));
  actor.start();
  return {
    actor,
    /** Translated part, from 0 to 1. */
    fraction,
  };
}
