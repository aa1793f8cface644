import type { SpeakerSuggestion } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";

/** What the person wants of their voice profiles. */
export type VoiceProfileChange =
  | { kind: "switchOn" }
  /** Deletes every profile and voice print. */
  | { kind: "switchOff" }
  | { kind: "rename"; id: string; name: string }
  | { kind: "remove"; id: string }
  | { kind: "removeAll" };

export type VoiceProfilesEvent =
  /** The person asks for a change. */
  | { type: "change.requested"; change: VoiceProfileChange }
  /** The person confirms what can't be undone, or does not. */
  | { type: "change.confirmed" }
  | { type: "change.dismissed" }
  | LoadingEvent;

/** Emitted to the page. */
export interface VoiceProfilesEmitted {
  type: "change.done";
  change: VoiceProfileChange;
}

export type SuggestionsEvent =
  /** The page's transcript: who speaks in it as the server has it, by label, and whether that is being found out. */
  | { type: "speakers.changed"; speakers: readonly string[]; diarizing: boolean }
  /** The person says yes, or no. */
  | { type: "suggestion.accepted"; suggestion: SpeakerSuggestion }
  | { type: "suggestion.declined"; suggestion: SpeakerSuggestion };

/** Emitted to the page. */
export type SuggestionsEmitted =
  /** The transcript's speaker is to get this name. */
  | { type: "naming.requested"; speaker: string; name: string }
  /** It is asked again. */
  | { type: "decline.failed"; code: string };
