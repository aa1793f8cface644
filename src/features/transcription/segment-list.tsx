import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type KeyboardEvent, useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Segment, SpeakerSuggestion } from "#contract/index.ts";
import { smallest } from "#contract/lists.ts";
import type { Typing } from "#machines/transcription/changes.ts";
import { type Hit, noHits } from "#machines/transcription/find/rules.ts";
import { openIn } from "#machines/transcription/spans.ts";
import { indexAt } from "#src/audio/position.ts";
import { noRowNotes, type RowNote } from "#src/features/notes/row-notes.ts";
import { speakerColours } from "#src/ui/speaker-colours.ts";
import { press } from "./caret.ts";
import { beside } from "./marks.ts";
import type { Player } from "./player.ts";
import type { PlaceStore } from "./reading-place.ts";
import type { RowHits, RowLook } from "./row.ts";
import { SegmentRow } from "./segment.tsx";
import styles from "./segments.module.css";

/** The transcript's player, and the reading place. */
interface Reading {
  player: Player;
  place: PlaceStore;
}

interface SegmentListProps extends Omit<RowLook, "position"> {
  reading: Reading;
  segments: readonly Segment[];
  /** The values of the open fields, by key; default: none. */
  typing?: Typing;
  /** Search hits, by segment. */
  found?: ReadonlyMap<number, RowHits>;
  currentHit?: Hit | undefined;
  /** Suggested speakers, at the first segment of each. */
  suggested?: ReadonlyMap<number, SpeakerSuggestion>;
  /** Notes, by segment. */
  noted?: ReadonlyMap<number, readonly RowNote[]>;
}

/** Up to this number, all rows are rendered, so that the browser's search, printing and selection cover everything. */
const allUpTo = 150;
/** The maximum distance (px) between the played text and the viewport at which the list still follows playback. */
const followDistance = 320;
/** Heights of the toolbar and the player, which cover the page's edges (px). */
const scrollPadding = { start: 72, end: 120 };
/** The estimated height of a row in px, close enough to keep the scroll bar from jumping (segment.module.css). */
function estimate(segment: Segment | undefined, before: Segment | undefined, sideBySide: boolean): number {
  if (segment === undefined) return 48;
  const wide = innerWidth >= 900;
  const lines = (text: string) => Math.max(1, Math.ceil(text.length / (wide ? (sideBySide ? 48 : 68) : 38)));
  const [original, translated] = [lines(segment.text), sideBySide ? lines(segment.translation ?? "") : 0];
  const head = segment.speaker === before?.speaker ? 0 : 28;
  return 16 + (wide ? head + 32 * Math.max(original, translated) : 32 + 32 * (original + translated));
}

const noRowHits: RowHits = { text: noHits, translation: noHits };

const isSideBySide = ({ translationLanguage, view }: Pick<RowLook, "translationLanguage" | "view">) =>
  translationLanguage !== null && view === "both";

/** The list's offset on the page in px. Content above it may grow. */
function useTop() {
  const [top, setTop] = useState(0);
  const watch = useCallback((list: HTMLElement | null) => {
    if (list === null) return undefined;
    const measure = () => setTop(Math.round(list.getBoundingClientRect().top + scrollY));
    // Measured at once, because the observer reports only after the list looks for its first passage.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return { top, watch };
}

/** The rendered rows: visible ones, and those that must stay mounted. */
function useRows({ reading, segments, ...look }: SegmentListProps, mounted: readonly number[]) {
  const { top, watch } = useTop();
  const count = segments.length;
  const key = [...new Set(mounted)].filter((index) => index >= 0 && index < count).join();
  const rangeExtractor = useCallback(
    (range: Range) => {
      if (range.count <= allUpTo) return Array.from({ length: range.count }, (_, index) => index);
      const others = key === "" ? [] : key.split(",").map(Number);
      return [...new Set([...defaultRangeExtractor(range), ...others])].sort((one, other) => one - other);
    },
    [key],
  );
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: (index) => estimate(segments[index], segments[index - 1], isSideBySide(look)),
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: scrollPadding.start,
    scrollPaddingEnd: scrollPadding.end,
    rangeExtractor,
    useFlushSync: false,
  });
  reading.place.top = virtualizer.range?.startIndex ?? 0;
  return { virtualizer, top, watch };
}

type Rows = ReturnType<typeof useRows>["virtualizer"];

/** Whether a row is visible, or nearly. */
function isNear(rows: Rows, index: number): boolean {
  const row = rows.measurementsCache[index];
  return row !== undefined && row.end > scrollY - followDistance && row.start < scrollY + innerHeight + followDistance;
}

/** Whether a row is visible below the toolbar and above the player, whose heights vary. */
function isInSight(rows: Rows, index: number): boolean {
  const row = rows.measurementsCache[index];
  const top = document.querySelector("[data-covers-top]")?.getBoundingClientRect().bottom ?? 0;
  const covers = [...document.querySelectorAll("[data-covers-bottom]")].map((cover) => cover.getBoundingClientRect());
  // A panel beside the text covers none of it.
  const bottom = Math.min(innerHeight, smallest(covers.flatMap((cover) => (cover.left < innerWidth / 2 ? [cover.top] : []))));
  return row !== undefined && row.start >= scrollY + top && row.end <= scrollY + bottom;
}

function bringIntoSight(rows: Rows, index: number, align: "auto" | "center" | "start"): void {
  if (!isInSight(rows, index)) rows.scrollToIndex(index, { align: align === "start" || isNear(rows, index) ? align : "center" });
}

const isTyping = (): boolean => document.activeElement instanceof HTMLTextAreaElement;

/** Follows the played segment, unless the reader has scrolled away or is typing. */
function useFollowing(rows: Rows) {
  const [last] = useState({ index: -1 });
  return useCallback(
    (row: HTMLElement | null) => {
      const index = Number(row?.dataset.index ?? -1);
      if (index < 0 || index === last.index) return;
      const follows = last.index < 0 ? isNear(rows, index) : isNear(rows, last.index);
      last.index = index;
      if (follows && !isTyping()) bringIntoSight(rows, index, "auto");
    },
    [rows, last],
  );
}

/** Keeps the focused row mounted when it is scrolled away, so that it keeps the focus. */
function useFocused() {
  const [focused, setFocused] = useState(-1);
  const onFocus = ({ target }: FocusEvent) =>
    setFocused(Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1));
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setFocused(-1);
  };
  return { focused, handlers: { onFocus, onBlur } };
}

const nothingTyped: Typing = {};
const nothingFound: ReadonlyMap<number, RowHits> = new Map();
const noSuggestions: ReadonlyMap<number, SpeakerSuggestion> = new Map();

/**
 * A transcript's passages, virtualized. A click places the caret, or plays if the reader may not edit. Alt+click plays.
 * In a focused row, the left and right arrow keys move by word, and up and down by row.
 */
export function SegmentList(props: SegmentListProps) {
  const { reading, segments, typing = nothingTyped, found = nothingFound, currentHit, suggested = noSuggestions, noted } = props;
  const { t } = useTranslation("app");
  const { position } = reading.player;
  const look = lookOf(props);
  const colours = useMemo(() => speakerColours(segments), [segments]);
  const place = useSyncExternalStore(reading.place.subscribe, reading.place.get);
  const now = useSyncExternalStore(position.subscribe, () => (position.get() > 0 ? indexAt(segments, position.get()) : -1));
  const { focused, handlers } = useFocused();
  const mounted = [now, focused, place?.index ?? -1, ...openIn(typing)];
  const { virtualizer, top, watch } = useRows(props, mounted);
  const follow = useFollowing(virtualizer);
  const ref = useCallback(
    (list: HTMLElement | null) => {
      const unwatch = watch(list);
      const leave = reading.place.subscribe(() => {
        const wanted = reading.place.get();
        if (wanted !== null && wanted.align !== "none") bringIntoSight(virtualizer, wanted.index, wanted.align ?? "center");
      });
      const { arrival } = reading.place;
      if (list !== null && arrival !== null) {
        reading.place.arrival = null;
        // The virtualizer knows its scrolling window only after everything is mounted.
        queueMicrotask(() => reading.place.show({ index: arrival }));
      }
      return () => {
        unwatch?.();
        leave();
      };
    },
    [watch, reading, virtualizer],
  );
  return (
    <ol
      ref={ref}
      className={`${styles.segments} ${isSideBySide(look) ? styles.translated : ""}`}
      style={{ blockSize: virtualizer.getTotalSize() }}
      aria-label={t("transcript.textLabel")}
      onClick={(event) => press(event, segments, reading, look)}
      onKeyDown={(event) => step(event, segments, reading, look)}
      {...handlers}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const segment = segments[index];
        if (segment === undefined) return null;
        const before = segments[index - 1];
        return (
          <SegmentRow
            key={index}
            {...look}
            segment={segment}
            index={index}
            count={segments.length}
            top={start - top}
            measure={virtualizer.measureElement}
            follow={index === now ? follow : undefined}
            colour={colours.get(segment.speaker ?? "") ?? ""}
            newSpeaker={before === undefined || before.speaker !== segment.speaker}
            newLanguage={isOtherLanguage(segment, before)}
            suggestion={suggested.get(index)}
            typed={typing[index]}
            typedTranslation={typing[`translation:${index}`]}
            hits={found.get(index) ?? noRowHits}
            notes={noted?.get(index) ?? noRowNotes}
            current={currentHit?.index === index ? currentHit : undefined}
            looked={place?.index === index ? place.word : undefined}
            focus={place?.index === index && place.focus ? `${place.focus} ${place.turn} ${place.caret ?? ""}`.trim() : undefined}
          />
        );
      })}
    </ol>
  );
}

const lookOf = ({ reading: { player }, language, translationLanguage, view, seekable, editable, actions }: SegmentListProps) => ({
  ...{ language, translationLanguage, view },
  ...{ seekable, editable, actions, position: player.position },
});

/** Whether the language changes at this segment, to the other one or back. */
function isOtherLanguage(segment: Segment, before: Segment | undefined): boolean {
  if (before === undefined) return segment.language !== undefined || segment.turn !== undefined;
  return before.language !== segment.language || before.translationLanguage !== segment.translationLanguage;
}

function step(
  event: KeyboardEvent,
  segments: readonly Segment[],
  { player, place }: Reading,
  { seekable, actions }: Pick<RowLook, "seekable" | "actions">,
): void {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLButtonElement) || altKey || ctrlKey || metaKey) return;
  const rows = { ArrowDown: 1, ArrowUp: -1 }[key];
  const words = { ArrowRight: 1, ArrowLeft: -1 }[key];
  const index = Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1) + (rows ?? 0);
  if (rows !== undefined && segments[index] !== undefined) {
    event.preventDefault();
    place.show({ index, focus: target.dataset.time === undefined ? "edit" : "time" });
  }
  const start = words === undefined || !seekable ? undefined : beside(segments, player.position.get(), words);
  if (start === undefined) return;
  event.preventDefault();
  actions.seek(start);
}
