import type { SpeakerSuggestion } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";

/** A change that the person makes. */
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
  /** The person confirms or dismisses a change that can't be undone. */
  | { type: "change.confirmed" }
  | { type: "change.dismissed" }
  | LoadingEvent;

/** Emitted to the page. */
export interface VoiceProfilesEmitted {
  type: "change.done";
  change: VoiceProfileChange;
}

export type SuggestionsEvent =
  /**
   * From the page's transcript: its speakers by label, as the server has them, and whether they are being identified.
   */
  | { type: "speakers.changed"; speakers: readonly string[]; diarizing: boolean }
  /** The person accepts or declines a suggestion. */
  | { type: "suggestion.accepted"; suggestion: SpeakerSuggestion }
  | { type: "suggestion.declined"; suggestion: SpeakerSuggestion };

/** Emitted to the page. */
export type SuggestionsEmitted =
  /** The page should give the transcript's speaker this name. */
  | { type: "naming.requested"; speaker: string; name: string }
  /** Declining failed; the suggestion is shown again. */
  | { type: "decline.failed"; code: string };
