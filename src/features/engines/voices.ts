import type { EnginesAnswer } from "#contract/index.ts";
import { createSpeaker, type Speaker } from "#src/audio/speaker.ts";
import { speechApi } from "#src/features/session/api-resources.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The voices of this browser and of the server. */
export function createVoices(engines: EnginesAnswer): {
  speaker: Speaker;
  voices: { subscribe(listener: () => void): () => void };
} {
  const synthesis = "speechSynthesis" in globalThis ? globalThis.speechSynthesis : undefined;
  const spoken = new Set(engines.aloud?.languages.map(baseLanguage));
  const speaker = createSpeaker({
    synthesis,
    serverSpeaks: (language) => spoken.has(baseLanguage(language)),
    ask: ({ text, language, rate }, signal) => speechApi.speak({ text, language, rate }, signal),
  });
  return {
    speaker,
    voices: {
      subscribe: (listener) => {
        const stop = new AbortController();
        synthesis?.addEventListener("voiceschanged", listener, { signal: stop.signal });
        return () => stop.abort();
      },
    },
  };
}
