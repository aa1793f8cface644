import { shallowEqual, useSelector } from "@xstate/react";
import { useDeferredValue } from "react";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { FoundActor } from "#machines/transcriptions/found/machine.ts";
import type { FoundOutline } from "#machines/transcriptions/found/rules.ts";
import { selectFoundRows, selectOutline } from "#machines/transcriptions/found/selectors.ts";

/** The filtered rows, deferred so that typing stays fast. */
export function useFound(found: FoundActor): readonly TranscriptionSummary[] {
  return useDeferredValue(useSelector(found, selectFoundRows));
}

/** The number of filtered rows, and their further properties. */
export function useFoundOutline(found: FoundActor): FoundOutline {
  return useSelector(found, selectOutline, shallowEqual);
}
