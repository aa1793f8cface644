import { useSelector } from "@xstate/react";
import { useMemo } from "react";
import type { Segment, SpeakerSuggestion } from "#contract/index.ts";
import { selectCurrent, selectHits } from "#machines/transcription/find/machine.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import { selectTyping } from "#machines/transcription/selectors.ts";
import { selectSuggestions } from "#machines/voice-profiles/suggestions.ts";
import type { Notes } from "#src/features/notes/actor.ts";
import { Notable, useRowNotes } from "#src/features/notes/layer.tsx";
import type { OpenTranscription } from "./actor.ts";
import type { RowHits, RowLook } from "./row.ts";
import { SegmentList } from "./segment-list.tsx";
import { speakerList, useSpeakerName } from "./speaker.tsx";

interface SegmentsProps extends Omit<RowLook, "position"> {
  open: OpenTranscription;
  segments: readonly Segment[];
  /** undefined if the page offers no notes. */
  notes: Notes | undefined;
  /** Focuses the passage that begins at this second. */
  onReturn(seconds: number): void;
}

/** Groups hits by segment. */
function hitsByRow(hits: readonly Hit[]): ReadonlyMap<number, RowHits> {
  return new Map(
    [...Map.groupBy(hits, ({ index }) => index)].map(([index, found]) => [
      index,
      { text: found.filter(({ side }) => side === "text"), translation: found.filter(({ side }) => side === "translation") },
    ]),
  );
}

/** Suggestions by the index of the speaker's first segment. Omits names that a speaker already has. */
function suggestionsByRow(
  segments: readonly Segment[],
  suggestions: readonly SpeakerSuggestion[],
): ReadonlyMap<number, SpeakerSuggestion> {
  return new Map(
    suggestions.flatMap((suggestion) => {
      const first = segments.findIndex(({ speaker }) => speaker === suggestion.speaker);
      return first < 0 || segments.some(({ speaker }) => speaker === suggestion.name) ? [] : [[first, suggestion] as const];
    }),
  );
}

/** The passages of the user's own transcript, with typed text, search hits, notes, and suggested speakers. */
export function Segments({ open, segments, notes, onReturn, ...look }: SegmentsProps) {
  const typing = useSelector(open.actor, selectTyping);
  const hits = useSelector(open.find, selectHits);
  const found = useMemo(() => hitsByRow(hits), [hits]);
  const currentHit = useSelector(open.find, (snapshot) => selectHits(snapshot)[selectCurrent(snapshot)]);
  const suggestions = useSelector(open.suggestions, selectSuggestions);
  const suggested = useMemo(() => suggestionsByRow(segments, suggestions), [segments, suggestions]);
  const noted = useRowNotes(notes, segments);
  return (
    <Notable notes={notes} segments={segments} play={look.seekable ? look.actions.seek : undefined} onReturn={onReturn}>
      <Speakers segments={segments} />
      <SegmentList
        {...look}
        reading={open}
        segments={segments}
        typing={typing}
        found={found}
        currentHit={currentHit}
        suggested={suggested}
        noted={noted}
      />
    </Notable>
  );
}

/** The list of known names, for the speakers' fields. */
function Speakers({ segments }: { segments: readonly Segment[] }) {
  const nameOf = useSpeakerName();
  const names = useMemo(
    () => [...new Set(segments.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])))],
    [segments],
  );
  return (
    <datalist id={speakerList}>
      {names.map((name) => (
        <option key={name} value={nameOf(name)} />
      ))}
    </datalist>
  );
}
