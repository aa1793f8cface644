import { useDeferredValue, useSyncExternalStore } from "react";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { OpenTranscriptions } from "./actor.ts";
import type { FoundOutline } from "./found.ts";

/** The filtered rows, deferred so that typing stays fast. */
export function useFound({ rows }: OpenTranscriptions["found"]): readonly TranscriptionSummary[] {
  return useDeferredValue(useSyncExternalStore(rows.subscribe, rows.get));
}

/** What is told of them. */
export function useFoundOutline({ outline }: OpenTranscriptions["found"]): FoundOutline {
  return useSyncExternalStore(outline.subscribe, outline.get);
}
