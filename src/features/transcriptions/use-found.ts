import { useDeferredValue, useSyncExternalStore } from "react";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { OpenTranscriptions } from "./actor.ts";

/** The filtered rows, deferred so that typing stays fast. */
export function useFound(found: OpenTranscriptions["found"]): readonly TranscriptionSummary[] {
  return useDeferredValue(useSyncExternalStore(found.subscribe, found.get));
}
