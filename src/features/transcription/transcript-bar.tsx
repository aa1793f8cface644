import { useSelector } from "@xstate/react";
import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOpen } from "#machines/transcription/find/machine.ts";
import type { Step } from "#machines/transcription/history.ts";
import { selectRedo, selectTranscription, selectUndo } from "#machines/transcription/selectors.ts";
import { isMac, keyShortcut, withOurs } from "#src/features/shortcuts/keys.ts";
import { clock } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import type { OpenTranscription } from "./actor.ts";
import { FindBar } from "./find-bar.tsx";
import { Title } from "./title.tsx";
import styles from "./transcript-bar.module.css";

interface TranscriptBarProps {
  open: OpenTranscription;
  title: string;
  /** Undefined: the transcript belongs to another user. */
  onRename: ((title: string) => void) | undefined;
  /** The link back, before the title. */
  back: ReactNode;
  /** Actions on the whole transcription, at the end. */
  children: ReactNode;
  /** Whether the text is editable. */
  editable: boolean;
  /** Whether there is text to search. */
  searchable: boolean;
  onHelp(): void;
}

/** Opens the find bar with the selected text, at the reading place. */
export function openFind({ find, place }: OpenTranscription): void {
  const selected = String(getSelection() ?? "").trim();
  const term = selected !== "" && selected.length <= 100 && !selected.includes("\n") ? { term: selected } : {};
  find.send({ type: "find.opened", at: place.top, ...term });
  document.querySelector<HTMLInputElement>("search input[name=term]")?.select();
}

/** The transcript's title and tools, always visible. */
export function TranscriptBar({ open, editable, searchable, onHelp, title, onRename, back, children }: TranscriptBarProps) {
  const { t } = useTranslation("app");
  const finding = useSelector(open.find, selectIsOpen);
  const mac = isMac();
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const close = () => {
    open.find.send({ type: "find.closed" });
    opener?.focus();
  };
  return (
    <header className={styles.bar} data-covers-top>
      <div className={`line ${styles.row}`}>
        {back}
        <Title title={title} onRename={onRename} />
        <div className={styles.tools} role="toolbar" aria-label={t("transcript.tools")}>
          {editable ? <UndoButtons open={open} /> : null}
          {searchable ? (
            <IconButton
              ref={setOpener}
              icon="search"
              label={t("transcript.find.open")}
              title={`${t("transcript.find.open")} (${withOurs("R", mac)})`}
              aria-keyshortcuts={keyShortcut("R", mac)}
              aria-expanded={finding}
              onClick={() => (finding ? close() : openFind(open))}
            />
          ) : null}
          <IconButton
            icon="keyboard"
            label={t("transcript.keys.open")}
            title={`${t("transcript.keys.open")} (?)`}
            aria-haspopup="dialog"
            onClick={onHelp}
          />
        </div>
        {children}
        {editable ? <LastStepStatus open={open} /> : null}
      </div>
      {finding ? <FindBar find={open.find} editable={editable} onClose={close} /> : null}
    </header>
  );
}

const timeAt = ({ actor }: OpenTranscription, index: number): string =>
  clock(selectTranscription(actor.getSnapshot())?.segments[index]?.start ?? 0);

/** Returns the readable name of an edit: "correction at 0:12". */
function useStepName(open: OpenTranscription): (step: Step) => string {
  const { t } = useTranslation("app");
  return ({ kind, index, count }) => t(`transcript.steps.${kind}`, { time: timeAt(open, index ?? -1), number: count });
}

/** The edit that screen readers should announce. Shortcuts for undo, splits and merges are handled elsewhere. */
type LastStep = { way: "undone" | "redone"; step: Step } | { way: "split" | "merged"; index: number };

function useLastStep({ actor }: OpenTranscription) {
  const [last, setLast] = useState<LastStep | null>(null);
  const listen = useCallback(() => {
    const subscriptions = [
      ...(["undone", "redone"] as const).map((way) =>
        actor.on(`edit.${way}`, ({ step }) => setLast(step ? { way, step } : null)),
      ),
      ...(["split", "merged"] as const).map((way) => actor.on(`passage.${way}`, ({ index }) => setLast({ way, index }))),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [actor]);
  return { last, listen };
}

/** The undo and redo buttons. The bar announces what they did. */
export function UndoButtons({ open }: { open: OpenTranscription }) {
  const { t } = useTranslation("app");
  const nameOf = useStepName(open);
  const undo = useSelector(open.actor, selectUndo);
  const redo = useSelector(open.actor, selectRedo);
  return (
    <>
      {(["undo", "redo"] as const).map((type) => {
        const step = type === "undo" ? undo : redo;
        const label = step === null ? t(`transcript.${type}`) : t(`transcript.${type}Step`, { step: nameOf(step) });
        return (
          <IconButton
            key={type}
            icon={type}
            label={label}
            aria-disabled={step === null}
            onClick={() => open.actor.send({ type: `${type}.requested` })}
          />
        );
      })}
    </>
  );
}

function LastStepStatus({ open }: { open: OpenTranscription }) {
  const { t } = useTranslation("app");
  const nameOf = useStepName(open);
  const { last, listen } = useLastStep(open);
  return (
    <span className="visuallyHidden" role="status" ref={listen}>
      {last === null
        ? ""
        : "step" in last
          ? t(`transcript.${last.way}`, { step: nameOf(last.step) })
          : t(`transcript.${last.way}At`, { time: timeAt(open, last.index) })}
    </span>
  );
}
