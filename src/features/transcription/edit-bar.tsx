import { useSelector } from "@xstate/react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOpen } from "#machines/transcription/find/machine.ts";
import { selectRedo, selectTranscription, selectUndo } from "#machines/transcription/machine.ts";
import type { Step } from "#machines/transcription/rules.ts";
import { clock } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import type { OpenTranscription } from "./actor.ts";
import styles from "./edit-bar.module.css";
import { FindBar } from "./find-bar.tsx";
import { isMac, keyShortcut, withOurs } from "./shortcuts.ts";

interface EditBarProps {
  open: OpenTranscription;
  /** The text is editable. */
  editable: boolean;
  /** There is text to search. */
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

/** Editing tools, always in view within the transcript. */
export function EditBar({ open, editable, searchable, onHelp }: EditBarProps) {
  const { t } = useTranslation("app");
  const finding = useSelector(open.find, selectIsOpen);
  const mac = isMac();
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const close = () => {
    open.find.send({ type: "find.closed" });
    opener?.focus();
  };
  return (
    <div className={styles.bar} data-covers-top>
      <div className={styles.tools} role="toolbar" aria-label={t("transcript.tools")}>
        {editable ? <UndoButtons open={open} /> : null}
        {searchable ? (
          <Button
            ref={setOpener}
            look="quiet"
            icon="search"
            aria-keyshortcuts={keyShortcut("R", mac)}
            aria-expanded={finding}
            onClick={() => (finding ? close() : openFind(open))}
          >
            {t("transcript.find.open")}
            <kbd className={styles.key}>{withOurs("R", mac)}</kbd>
          </Button>
        ) : null}
        <IconButton
          className={styles.help}
          icon="keyboard"
          label={t("transcript.keys.open")}
          title={`${t("transcript.keys.open")} (?)`}
          aria-haspopup="dialog"
          onClick={onHelp}
        />
      </div>
      {finding ? <FindBar find={open.find} editable={editable} onClose={close} /> : null}
    </div>
  );
}

/** A readable name of an edit: "correction at 0:12". */
function useStepName(open: OpenTranscription): (step: Step) => string {
  const { t } = useTranslation("app");
  return ({ kind, index, count }) => {
    const at = selectTranscription(open.actor.getSnapshot())?.segments[index ?? -1]?.start;
    return t(`transcript.steps.${kind}`, { time: clock(at ?? 0), number: count });
  };
}

function UndoButtons({ open }: { open: OpenTranscription }) {
  const { t } = useTranslation("app");
  const nameOf = useStepName(open);
  const undo = useSelector(open.actor, selectUndo);
  const redo = useSelector(open.actor, selectRedo);
  const [last, setLast] = useState<{ way: "undone" | "redone"; step: Step } | null>(null);
  // Keyboard shortcuts for undo are handled elsewhere.
  const listen = useCallback(() => {
    const ways = (["undone", "redone"] as const).map((way) =>
      open.actor.on(`edit.${way}`, ({ step }) => setLast(step ? { way, step } : null)),
    );
    return () => {
      for (const way of ways) way.unsubscribe();
    };
  }, [open]);
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
      <span className="visuallyHidden" role="status" ref={listen}>
        {last ? t(`transcript.${last.way}`, { step: nameOf(last.step) }) : ""}
      </span>
    </>
  );
}
