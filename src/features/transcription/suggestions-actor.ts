import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { isReworked, statusOf, type Transcription } from "#contract/index.ts";
import type { transcriptionMachine } from "#machines/transcription/machine.ts";
import { selectSaved, selectTranscription } from "#machines/transcription/selectors.ts";
import { suggestionsMachine } from "#machines/voice-profiles/suggestions.ts";
import { createSuggestionsApi } from "#src/api/voice-profiles.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";

const api = createSuggestionsApi(call);

const machine = suggestionsMachine.provide({
  actors: {
    load: fromPromise(({ input, signal }) => api.list(input.id, signal)),
    decline: fromPromise(({ input, signal }) =>
      api.decline(input.id, { speaker: input.suggestion.speaker, profile: input.suggestion.profile }, signal),
    ),
  },
});
export type Suggestions = ActorRefFrom<typeof machine>;

/**
 * Suggested names for the unnamed speakers of an open transcription. Requested as soon as the server has new speakers.
 * An accepted suggestion is an ordinary edit.
 */
export function createSuggestions(id: string, actor: ActorRefFrom<typeof transcriptionMachine>): Suggestions {
  const suggestions = createActor(machine, { ...inspected(), input: { id } });
  suggestions.on("naming.requested", ({ speaker, name }) => {
    const segments = selectTranscription(actor.getSnapshot())?.segments ?? [];
    const same = segments.flatMap((segment, index) => (segment.speaker === speaker ? [index] : []));
    actor.send({ type: "speaker.named", name, segments: same });
  });
  suggestions.on("decline.failed", ({ code }) => toast({ kind: "error", key: `errors.${code}` }));
  let [seen, known]: [Transcription | null, string] = [null, ""];
  actor.subscribe((snapshot) => {
    const saved = selectSaved(snapshot);
    // Compares by identity, because each keystroke causes a snapshot and a transcript may have 50,000 passages. A
    // transcript that somebody else shares gets no suggestions.
    if (saved === null || saved === seen || saved.access !== undefined) return;
    seen = saved;
    const speakers = [...new Set(saved.segments.flatMap(({ speaker }) => speaker ?? []))];
    const diarizing = statusOf(saved.status) !== "completed" || isReworked(saved);
    const now = JSON.stringify([speakers, diarizing]);
    if (now === known) return;
    known = now;
    suggestions.send({ type: "speakers.changed", speakers, diarizing });
  });
  return suggestions.start();
}
