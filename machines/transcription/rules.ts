import { isUnsure, joinedText, type OtherText, type Segment, type Transcription } from "#contract/index.ts";
import { begunOf, withBaseVersions } from "./base-versions.ts";
import { type Changes, type Draft, type DraftSpans, isEmpty, merged, noChanges, shown, type Typing, textAt } from "./changes.ts";
import { followed, followedFields } from "./followed.ts";
import {
  type History,
  inLanguage,
  lastIn,
  noHistory,
  recorded,
  type Step,
  type StepKind,
  steppedBack,
  steppedForward,
} from "./history.ts";
import { type RegroupEvent, regroupOf } from "./regrouping.ts";
import { refreshedTyping, typingAfter } from "./typing.ts";

/** Undoable edits. All are sent by the page. */
export type EditEvent =
  /** A segment was corrected, or the whole text where there are no segments. */
  | { type: "segment.edited"; index: number; text: string }
  | { type: "text.edited"; text: string }
  | { type: "title.edited"; title: string }
  /** Replacements: texts by segment. */
  | { type: "segments.replaced"; edits: Readonly<Record<number, string>> }
  /** The speaker of these segments; null for an unnamed one. */
  | { type: "speaker.named"; segments: readonly number[]; name: string | null }
  /** A translation edited by hand. */
  | { type: "translation.edited"; index: number; text: string }
  /** An uncertain word is correct. */
  | { type: "word.confirmed"; start: number; text: string }
  /** Another person's text for a passage is accepted, or refused; then the passage's text stays. */
  | { type: "other.settled"; index: number; other: OtherText; take: boolean }
  | RegroupEvent;

/** The part of the machine's context that is edited. */
export interface Edited {
  /** The server's version. */
  saved: Transcription | null;
  /** The shown version, with unsaved changes. */
  shown: Transcription | null;
  /** Pending; they name segments as they are after those in flight. */
  pending: Changes;
  /** The changes in flight. */
  sending: Changes;
  /** The contents of open fields. */
  typing: Typing;
  /**
   * The contents of the fields from when the person started to type, if something else is shown since
   * (base-versions.ts).
   */
  begun: Typing;
  history: History;
}

interface Edit {
  kind: StepKind;
  draft: Draft;
  /** The edited field, which is closed. */
  closes?: string;
  /** Fields that are open after it. */
  opens?: Typing;
}

function editOf(event: EditEvent, { typing, begun }: Edited, now: Transcription): Edit {
  switch (event.type) {
    case "segment.edited": {
      const base = begun[event.index];
      const bases = base === undefined ? {} : { bases: { [event.index]: base } };
      const read = confirmedIn(now.segments.slice(event.index, event.index + 1), event.text);
      return {
        kind: "correction",
        draft: { edits: { [event.index]: event.text }, ...bases, ...read },
        closes: String(event.index),
      };
    }
    case "text.edited": {
      const textBase = begun.text === undefined ? {} : { textBase: begun.text };
      return { kind: "text", draft: { text: event.text, ...textBase, edits: {} }, closes: "text" };
    }
    case "title.edited":
      return { kind: "title", draft: { title: event.title, edits: {} } };
    case "segments.replaced":
      return { kind: "replacement", draft: { edits: event.edits } };
    case "speaker.named": {
      const speakers = Object.fromEntries(event.segments.map((index) => [index, event.name]));
      return { kind: "speaker", draft: { edits: {}, speakers } };
    }
    case "translation.edited": {
      const { index, text } = event;
      return { kind: "translation", draft: { edits: {}, translations: { [index]: text } }, closes: `translation:${index}` };
    }
    case "word.confirmed": {
      const { start, text: word } = event;
      return { kind: "word", draft: { edits: {}, words: { [start]: { start, text: word, confidence: 1 } } } };
    }
    case "other.settled": {
      const { index, other, take } = event;
      const others = { [other.id]: { index, other, present: false } };
      return { kind: "choice", draft: { edits: take ? { [index]: other.text } : {}, others } };
    }
    case "segment.split":
    case "segment.merged": {
      const { regroup, opens } = regroupOf(event, now.segments, { typing, begun });
      const before = now.segments.slice(regroup.index, regroup.index + regroup.count);
      const read = confirmedIn(before, joinedText(regroup.passages.map(({ text }) => text)));
      return {
        kind: event.type === "segment.split" ? "split" : "merge",
        draft: { edits: {}, regroups: [regroup], ...read },
        opens,
      };
    }
  }
}

/** A person who corrects a passage has read it: the remaining words are correct. */
function confirmedIn(segments: readonly Segment[], text: string): Pick<Draft, "words"> {
  const unsure = segments.flatMap(({ words }) => words.filter(isUnsure));
  const isCorrected = joinedText(segments.map((segment) => segment.text)) !== text.trim();
  if (unsure.length === 0 || !isCorrected) return {};
  return { words: Object.fromEntries(unsure.map(({ start, text: word }) => [start, { start, text: word, confidence: 1 }])) };
}

export const withShown = <C extends Edited>(context: C): C => ({
  ...context,
  shown: context.saved && shown(context.saved, merged(context.sending, context.pending)),
});

/**
 * Applies the server's current version. Steps refer to segments by index, so they become invalid when the segments
 * change.
 * @param draft the places of the segments that changes from before this page was opened name
 */
export function withSaved<C extends Edited>(context: C, saved: Transcription, draft?: DraftSpans): C {
  const known = withBaseVersions(context, saved);
  const next = withShown({ ...known, ...followed(saved, known, draft) });
  const same = context.shown === null || context.shown.segments.length === next.shown?.segments.length;
  if (!same) return withBegun({ ...next, history: noHistory }, known);
  return withBegun({ ...next, typing: refreshedTyping(next.typing, context.shown, next.shown) });
}

/** Marks sent changes as saved: the server has them now. */
export function withSent<C extends Edited>(context: C, saved: Transcription): C {
  const sent = context.saved && shown(context.saved, context.sending);
  const next = { ...context, saved: sent, sending: noChanges };
  // The server has cut the splits; their parts are in the places of the shown ones.
  const isExpected = context.sending.regroups !== undefined && sent?.segments.length === saved.segments.length;
  return isExpected ? withShown({ ...next, saved }) : withSaved(next, saved);
}

/** Discards the pending changes. */
export function withDiscarded<C extends Edited>(context: C): C {
  const next = withShown({ ...context, pending: noChanges });
  const [before, now] = [context.shown?.segments ?? [], next.shown?.segments ?? []];
  const typing = followedFields(context.typing, before, now);
  const isSame = before.length === now.length;
  return withBegun({ ...next, typing, history: isSame ? context.history : noHistory }, isSame ? undefined : context);
}

/** Adds the person's edit, to be sent; an edit without effect only closes its field. */
export function withEdit<C extends Edited>(context: C, event: EditEvent): C {
  const { shown: now, saved } = context;
  if (now === null) return context;
  const { kind, draft, closes, opens } = editOf(event, context, now);
  const history = recorded(context.history, kind, draft, { shown: now, saved });
  return withDraft(context, history === context.history ? { edits: {} } : draft, history, { closes, opens });
}

/** The language of the translation that is shown, or will be when the server has it. */
const languageOf = ({ pending, sending, shown: now }: Edited): string | null => {
  const { targetLanguage } = { ...sending, ...pending };
  return targetLanguage === undefined ? (now?.targetLanguage ?? null) : targetLanguage;
};

/** The next steps to undo and to redo. */
export const undoOf = (context: Edited): Step | undefined => lastIn(context.history.done, languageOf(context));
export const redoOf = (context: Edited): Step | undefined => lastIn(context.history.undone, languageOf(context));

export function withUndone<C extends Edited>(context: C): C {
  const back = steppedBack(inLanguage(context.history, languageOf(context)));
  return back ? withDraft(context, madeOf(context, back.step.redo, back.step.undo), back.history) : context;
}

export function withRedone<C extends Edited>(context: C): C {
  const forward = steppedForward(inLanguage(context.history, languageOf(context)));
  return forward ? withDraft(context, madeOf(context, forward.step.undo, forward.step.redo), forward.history) : context;
}

/** A step's change, limited to what its inverse still finds: other people's later changes stay. */
function madeOf({ shown: now }: Edited, { edits, text }: Draft, draft: Draft): Draft {
  const bases = Object.entries(edits).filter(([index, left]) => textAt(now, index) !== left);
  return {
    ...draft,
    ...(bases.length > 0 && { bases: Object.fromEntries(bases) }),
    ...(draft.text !== undefined && text !== undefined && text !== now?.text && { textBase: text }),
  };
}

const withBegun = <C extends Edited>(context: C, before?: Edited): C => ({ ...context, begun: begunOf(context, before) });

type Fields = { closes?: string | undefined; opens?: Typing | undefined };

function withDraft<C extends Edited>(context: C, draft: Draft, history: History, { closes, opens }: Fields = {}): C {
  const typing = opens === undefined ? typingAfter(context, draft, closes) : opens;
  if (isEmpty(draft)) return withBegun({ ...context, typing });
  const pending = merged(context.pending, draft);
  const isMoved = draft.regroups !== undefined && Object.keys(context.begun).length > 0;
  return withBegun(withShown({ ...context, typing, history, pending }), isMoved ? context : undefined);
}
