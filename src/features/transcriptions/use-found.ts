import { useDeferredValue, useSyncExternalStore } from "react";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { OpenTranscriptions } from "./actor.ts";

/** The rows that the search and the filters leave; drawn a step behind the typing, so that typing stays quick. */
export function useFound(found: OpenTranscriptions["found"]): readonly TranscriptionSummary[] {
  return useDeferredValue(useSyncExternalStore(found.subscribe, found.get));
}
