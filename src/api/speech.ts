import type { SpeechRequest } from "#contract/index.ts";
import type { Send } from "./http.ts";

/** Speech synthesis. Throws ApiError. */
export function createSpeechApi(send: Send) {
  return {
    /** A text spoken by the server's voice, as audio/wav. */
    speak: async (request: SpeechRequest, signal?: AbortSignal): Promise<Blob> => {
      const answer = await send("/api/v1/speech", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
        signal: signal ?? null,
      });
      return answer.blob();
    },
  };
}
