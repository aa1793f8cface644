import { EnginesAnswer, type SpeechRequest, TranslationAnswer } from "#contract/index.ts";
import { type Call, isNotOffered, jsonBody, type Send } from "./http.ts";

/** For a server without the call: there is no usable engine. */
const noEngines: EnginesAnswer = {
  speech: { engines: [], languages: [] },
  translation: { engines: [], pairs: [] },
  limits: { maxUploadBytes: 0 },
};

/** Whether there is a speech engine, working or not. */
export const canTranscribe = ({ speech }: EnginesAnswer): boolean => speech.languages.length > 0;

/** The engines' options, and the translation of a text. Each call throws ApiError. */
export function createEnginesApi(call: Call) {
  return {
    engines: async (signal?: AbortSignal): Promise<EnginesAnswer> => {
      try {
        return await call("/api/v1/engines", { schema: EnginesAnswer, signal });
      } catch (error) {
        if (isNotOffered(error)) return noEngines;
        throw error;
      }
    },

    /** @param json `source`: the spoken language ("es-ES", or "auto"); `target`: a code for text ("es") */
    translate: (json: { text: string; source: string; target: string }, signal?: AbortSignal) =>
      call("/api/v1/translations", { json, schema: TranslationAnswer, signal }),
  };
}

/** Speech synthesis. Throws ApiError. */
export function createSpeechApi(send: Send) {
  return {
    /** Returns a text spoken by the server's voice, as audio/wav. */
    speak: async (request: SpeechRequest, signal?: AbortSignal) =>
      (await send("/api/v1/speech", { ...jsonBody(request), signal })).blob(),
  };
}
