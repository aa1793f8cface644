import { DeviceTranslationAnswer } from "#contract/index.ts";
import type { Call } from "./http.ts";

interface Pair {
  source: string;
  target: string;
}

/** The models with which a browser translates by itself. Throws ApiError; 404 when there is none for the pair. */
export function createDeviceTranslationsApi(call: Call) {
  return {
    files: ({ source, target }: Pair, signal?: AbortSignal) =>
      call(`/api/v1/device-translations/${source}/${target}`, { schema: DeviceTranslationAnswer, signal }),
  };
}
