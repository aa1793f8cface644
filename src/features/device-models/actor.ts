import english from "virtual:device-models";
import { createClient } from "./client.ts";
import { downloadBytes, type ModelFile } from "./files.ts";
import { recogniserCache } from "./kept.ts";
import { createDeviceModel } from "./model-actor.ts";
import workerUrl from "./recogniser.worker.ts?worker&url";
import { createDeviceTranslations, type DeviceTranslations } from "./translations.ts";

type EnglishModel = ReturnType<typeof createEnglish>;
/** The part of any model that the page shows. */
export type DeviceModel = Pick<EnglishModel, "actor" | "fraction" | "bytes">;

interface DeviceModels extends DeviceTranslations {
  english: EnglishModel;
}

let models: DeviceModels | undefined;

/** The models that this browser can store. They live as long as the page. */
export function deviceModels(): DeviceModels {
  models ??= { english: createEnglish(), ...createDeviceTranslations() };
  return models;
}

/** The speech recognition model. */
function createEnglish() {
  const files: readonly ModelFile[] = Object.values(english);
  const { actor, fraction, client } = createDeviceModel({
    name: recogniserCache,
    script: workerUrl,
    files: () => files,
    connect: (send) => createClient(workerUrl, english, send),
  });
  const { listen, transcribe } = client;
  return { actor, fraction, bytes: downloadBytes(files), recogniser: { listen, transcribe } };
}
