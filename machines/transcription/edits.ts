import type { Transcription } from "#contract/index.ts";
import { type Changes, type Draft, isEmpty, merged, shown, type Typing, textAt } from "./changes.ts";
import { type History, noHistory, recorded, type StepKind, steppedBack, steppedForward } from "./undo.ts";

/** What a person does to a transcription and can undo. All are sent by the page. */
export type EditEvent =
  /** A segment was corrected, or the whole text where there are no segments. */
  | { type: "segment.edited"; index: number; text: string }
  | { type: "text.edited"; text: string }
  | { type: "title.edited"; title: string }
  /** Texts by segment: what was found is replaced. */
  | { type: "segments.replaced"; edits: Readonly<Record<number, string>> }
  /** Who spoke in these segments; null: nobody is named. */
  | { type: "speaker.named"; segments: readonly number[]; name: string | null };

/** The part of the machine's context that is edited. */
export interface Edited {
  /** As the server has it. */
  saved: Transcription | null;
  /** As the person sees it: with what is not saved yet. */
  shown: Transcription | null;
  /** Waiting to be sent. */
  pending: Changes;
  /** On their way. */
  sending: Changes;
  /** What stands in fields that are open. */
  typing: Typing;
  history: History;
}

interface Edit {
  kind: StepKind;
  draft: Draft;
  /** The field that it was typed in, which is closed by it. */
  closes?: string;
}

function editOf(event: EditEvent): Edit {
  switch (event.type) {
    case "segment.edited":
      return { kind: "correction", draft: { edits: { [event.index]: event.text } }, closes: String(event.index) };
    case "text.edited":
      return { kind: "text", draft: { text: event.text, edits: {} }, closes: "text" };
    case "title.edited":
      return { kind: "title", draft: { title: event.title, edits: {} } };
    case "segments.replaced":
      return { kind: "replacement", draft: { edits: event.edits } };
    case "speaker.named": {
      const speakers = Object.fromEntries(event.segments.map((index) => [index, event.name]));
      return { kind: "speaker", draft: { edits: {}, speakers } };
    }
  }
}

export const withShown = <C extends Edited>(context: C): C => ({
  ...context,
  shown: context.saved && shown(context.saved, merged(context.sending, context.pending)),
});

/** With what the server has now. Steps are about segments by their indices: with others they mean nothing any more. */
export function withSaved<C extends Edited>(context: C, saved: Transcription): C {
  const same = context.saved === null || context.saved.segments.length === saved.segments.length;
  return withShown({ ...context, saved, history: same ? context.history : noHistory });
}

/** With what the person did, which waits to be sent; what changes nothing only closes its field. */
export function withEdit<C extends Edited>(context: C, event: EditEvent): C {
  if (context.shown === null) return context;
  const { kind, draft, closes } = editOf(event);
  const history = recorded(context.history, kind, draft, context.shown);
  return withDraft(context, history === context.history ? { edits: {} } : draft, history, closes);
}

export function withUndone<C extends Edited>(context: C): C {
  const back = steppedBack(context.history);
  return back ? withDraft(context, back.step.undo, back.history) : context;
}

export function withRedone<C extends Edited>(context: C): C {
  const forward = steppedForward(context.history);
  return forward ? withDraft(context, forward.step.redo, forward.history) : context;
}

function withDraft<C extends Edited>(context: C, draft: Draft, history: History, closes?: string): C {
  const typing = typingAfter(context, draft, closes);
  if (isEmpty(draft)) return { ...context, typing };
  return withShown({ ...context, typing, history, pending: merged(context.pending, draft) });
}

/** Fields that were opened and not touched go along with a change from elsewhere (a replacement, an undoing). */
function typingAfter({ typing, shown: now }: Edited, { text, edits }: Draft, closes?: string): Typing {
  const moved = Object.entries(typing).map(([key, typed]) => {
    const after = key === "text" ? text : edits[Number(key)];
    return [key, after !== undefined && typed === textAt(now, key) ? after : typed];
  });
  return Object.fromEntries(moved.filter(([key]) => key !== closes));
}
