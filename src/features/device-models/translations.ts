import { bergamotWasm } from "virtual:device-models";
import * as v from "valibot";
import { DeviceTranslationFile, type EnginesAnswer } from "#contract/index.ts";
import { createDeviceTranslationsApi } from "#src/api/device-translations.ts";
import { ApiError } from "#src/api/http.ts";
import { storage } from "#src/browser/storage.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";
import { ownCall } from "#src/features/session/api.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { DeviceFailure } from "./failure.ts";
import { downloadBytes, type TranslatorFile } from "./files.ts";
import { createDeviceModel } from "./model-actor.ts";
import { createTranslator } from "./translator.ts";
import workerUrl from "./translator.worker.ts?worker&url";

/** The files of a model that this device stores, whole or in part. Needed when the server has newer files or none. */
const StoredTranslation = v.object({ source: v.string(), target: v.string(), files: v.array(DeviceTranslationFile) });
type StoredTranslation = v.InferOutput<typeof StoredTranslation>;

const key = "deviceTranslations";
const persisted = stored(key, v.array(StoredTranslation));
const api = createDeviceTranslationsApi(ownCall);

type Pair = Pick<StoredTranslation, "source" | "target">;
const isOf = (one: Pair) => (other: Pair) => one.source === other.source && one.target === other.target;
const findStored = (pair: Pair) => persisted.read()?.find(isOf(pair));
const othersThan = (pair: Pair) => (persisted.read() ?? []).filter((kept) => !isOf(pair)(kept));

export type DeviceTranslation = ReturnType<typeof createDeviceTranslation>;

export interface DeviceTranslations {
  /**
   * The model that translates on this device. Returns the same one for each call.
   * @param engines null: not known (yet)
   * @returns undefined when the server offers none and none is stored
   */
  translation(engines: EnginesAnswer | null, source: string, target: string): DeviceTranslation | undefined;
  /** @returns the languages into which `translation` has a model, sorted: two-letter codes */
  targetsFrom(engines: EnginesAnswer | null, source: string): string[];
  /** The models stored on this device, whole or in part. */
  storedTranslations: ReadableStore<readonly DeviceTranslation[]>;
}

/** Translation models for pairs of languages, without regions. */
export function createDeviceTranslations(): DeviceTranslations {
  const all: DeviceTranslation[] = [];
  const open = (pair: Pair, bytes: number): DeviceTranslation => {
    const known = all.find(isOf(pair));
    if (known !== undefined) return known;
    const opened = createDeviceTranslation(pair, bytes);
    all.push(opened);
    return opened;
  };
  const listStored = () => (persisted.read() ?? []).map((kept) => open(kept, downloadBytes(filesOf(kept))));
  const storedTranslations = createStore<readonly DeviceTranslation[]>(listStored());
  storage.subscribe(key, () => storedTranslations.set(listStored()));
  return {
    translation: (engines, source, target) => {
      const pair = { source: baseLanguage(source), target: baseLanguage(target) };
      const kept = storedTranslations.get().find(isOf(pair));
      const { deviceBytes } = engines?.translation.pairs.find(isOf(pair)) ?? {};
      return kept ?? (deviceBytes === undefined ? undefined : open(pair, deviceBytes + bergamotWasm.bytes));
    },
    targetsFrom: (engines, source) => {
      const offered = (engines?.translation.pairs ?? []).filter(({ deviceBytes }) => deviceBytes !== undefined);
      const from = [...offered, ...storedTranslations.get()].filter((pair) => pair.source === baseLanguage(source));
      return [...new Set(from.map(({ target }) => target))].sort();
    },
    storedTranslations,
  };
}

const filesOf = (kept: StoredTranslation): TranslatorFile[] => [
  ...kept.files.map((file) => ({ ...file, isGzipped: false })),
  { ...bergamotWasm, part: "wasm" },
];

/** @param offered the size of the download, as far as it is known */
function createDeviceTranslation(pair: Pair, offered: number) {
  const { source, target } = pair;
  const name = `device-translation ${source} ${target}`;
  let bytes = offered;
  const files = () => {
    const kept = findStored(pair);
    return kept === undefined ? [] : filesOf(kept);
  };
  const { actor, fraction, client } = createDeviceModel({
    name,
    script: workerUrl,
    files,
    choose: async (signal) => {
      const chosen = { source, target, files: await findFiles(pair, signal) };
      if (!persisted.keep([...othersThan(pair), chosen])) throw new DeviceFailure("storage");
      bytes = downloadBytes(files());
    },
    forget: () => persisted.keep(othersThan(pair)),
    connect: (send) => createTranslator({ url: workerUrl, cache: name, files, target, send }),
  });
  return {
    source,
    target,
    actor,
    fraction,
    get bytes() {
      return bytes;
    },
    translate: client.translate,
  };
}

/**
 * The files that the server offers. If it no longer offers the model, the files of the download that has begun.
 * @throws DeviceFailure
 */
async function findFiles(pair: Pair, signal: AbortSignal): Promise<DeviceTranslationFile[]> {
  try {
    return (await api.files(pair, signal)).files;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError && error.status === 404)) throw new DeviceFailure("network", error);
    const kept = findStored(pair);
    if (kept === undefined) throw new DeviceFailure("withdrawn", error);
    return kept.files;
  }
}
