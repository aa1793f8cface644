import { useSelector } from "@xstate/react";
import { useDeferredValue, useMemo } from "react";
import { selectFilters, selectItems, selectSearchTerm } from "../../../machines/transcriptions.ts";
import { filterTranscriptions } from "../../../machines/transcriptions-list.ts";
import type { TranscriptionSummary } from "../../api/contract/index.ts";
import type { Transcriptions } from "../../app/transcriptions.ts";

/** The rows that the search and the filters leave; a step behind the typing, so that typing stays quick. */
export function useFound(transcriptions: Transcriptions): readonly TranscriptionSummary[] {
  const items = useDeferredValue(useSelector(transcriptions, selectItems));
  const term = useDeferredValue(useSelector(transcriptions, selectSearchTerm));
  const filters = useDeferredValue(useSelector(transcriptions, selectFilters));
  return useMemo(() => filterTranscriptions(items, term, filters, Date.now()), [items, term, filters]);
}
