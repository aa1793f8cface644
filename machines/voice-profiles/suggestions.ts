import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { SpeakerSuggestion } from "#contract/index.ts";
import { codeOf, type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { SuggestionsEmitted, SuggestionsEvent } from "./events.ts";

type Suggestions = readonly SpeakerSuggestion[];

interface SuggestionsContext {
  /** The transcription's id. */
  id: string;
  speakers: readonly string[];
  diarizing: boolean;
  suggestions: Suggestions;
  /** The declined suggestions, oldest first; the first is being sent to the server. */
  declined: Suggestions;
}

const without = (all: Suggestions, gone: Suggestions): Suggestions =>
  all.filter(({ speaker, profile }) => !gone.some((one) => one.speaker === speaker && one.profile === profile));

/**
 * Suggested names for the unnamed speakers of a transcript: requested from the server, then accepted as an edit of the
 * transcript, or declined.
 */
export const suggestionsMachine = setup({
  types: {
    context: {} as SuggestionsContext,
    events: {} as SuggestionsEvent,
    emitted: {} as SuggestionsEmitted,
    input: {} as { id: string },
  },
  actors: {
    load: fromPromise<Suggestions, { id: string }>(async () => notProvided("load")),
    /** Resolves with the remaining suggestions. */
    decline: fromPromise<Suggestions, { id: string; suggestion: SpeakerSuggestion }>(async () => notProvided("decline")),
  },
  actions: {
    assignSpeakers: assign((_, { speakers, diarizing }: { speakers: readonly string[]; diarizing: boolean }) => ({
      speakers,
      diarizing,
    })),
    assignSuggestions: assign({ suggestions: ({ context }, all: Suggestions) => without(all, context.declined) }),
    clear: assign({ suggestions: [] }),
    noteDeclined: assign(({ context }, { suggestion }: { suggestion: SpeakerSuggestion }) => ({
      declined: [...context.declined, suggestion],
      suggestions: without(context.suggestions, [suggestion]),
    })),
    dropDeclined: assign({ declined: ({ context }) => context.declined.slice(1) }),
    requestNaming: emit(
      (_, { suggestion: { speaker, name } }: { suggestion: SpeakerSuggestion }): SuggestionsEmitted => ({
        type: "naming.requested",
        speaker,
        name,
      }),
    ),
    emitFailed: emit((_, { error }: Failed): SuggestionsEmitted => ({ type: "decline.failed", code: codeOf(error) })),
  },
  guards: {
    /** Engines only number the speakers, so a speaker with a name needs no suggestion. */
    hasUnnamed: ({ context: { speakers, diarizing } }) => !diarizing && speakers.some((speaker) => /^\d+$/.test(speaker)),
    hasDeclined: ({ context }) => context.declined.length > 0,
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
  },
}).createMachine({
  id: "suggestions",
  context: ({ input }) => ({ id: input.id, speakers: [], diarizing: false, suggestions: [], declined: [] }),
  initial: "offered",
  states: {
    offered: {
      initial: "choosing",
      on: {
        "speakers.changed": { target: ".choosing", actions: withEvent("assignSpeakers") },
        "suggestion.accepted": { actions: withEvent("requestNaming") },
        "suggestion.declined": { actions: withEvent("noteDeclined") },
      },
      states: {
        choosing: {
          always: [
            { guard: "hasDeclined", target: "declining" },
            { guard: "hasUnnamed", target: "loading" },
            { target: "resting", actions: "clear" },
          ],
        },
        loading: {
          invoke: {
            src: "load",
            input: ({ context: { id } }) => ({ id }),
            onDone: { target: "resting", actions: withOutput("assignSuggestions") },
            onError: [
              { guard: withEvent("isNotOffered"), target: "#suggestions.unavailable" },
              // Suggestions are optional: if the request fails, there are none until the transcript changes.
              { target: "resting" },
            ],
          },
        },
        resting: { always: { guard: "hasDeclined", target: "declining" } },
        declining: {
          invoke: {
            src: "decline",
            input: ({ context: { id, declined } }) => ({ id, suggestion: present(declined[0] ?? null, "what was declined") }),
            onDone: { target: "choosing", actions: ["dropDeclined", withOutput("assignSuggestions")] },
            // The suggestion is shown again.
            onError: { target: "choosing", actions: ["dropDeclined", withEvent("emitFailed")] },
          },
          // Declining finishes first, so that a new answer does not bring the suggestion back.
          on: { "speakers.changed": { actions: withEvent("assignSpeakers") } },
        },
      },
    },
    unavailable: {},
  },
});

type Snapshot = SnapshotFrom<typeof suggestionsMachine>;

/** The suggestions that were not declined; the same object until they change. */
export const selectSuggestions = (snapshot: Snapshot): readonly SpeakerSuggestion[] => snapshot.context.suggestions;
