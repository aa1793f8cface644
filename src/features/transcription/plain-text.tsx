import { useSelector } from "@xstate/react";
import { type FocusEvent, type MouseEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { selectTyping } from "#machines/transcription/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import type { OpenTranscription } from "./actor.ts";
import { offsetAt } from "./caret.ts";
import { Editor } from "./editor.tsx";

interface PlainTextProps {
  actor: OpenTranscription["actor"];
  text: string;
  /** The translation; "": none. */
  translation: string;
  editable: boolean;
}

/** A text without times. A click places the caret, and the text is saved when the focus leaves the field. */
export function PlainText({ actor, text, translation, editable }: PlainTextProps) {
  const { t } = useTranslation("app");
  const typed = useSelector(actor, (snapshot) => selectTyping(snapshot).text);
  const isEdited = typed !== undefined && editable;
  /** What takes the focus next: the field with the caret at this offset, or the button; null: nothing. */
  const wanted = useRef<number | "button">(null);
  const giveFocus = (frame: HTMLElement | null) => {
    const element = frame?.querySelector<HTMLElement>("textarea, button");
    if (wanted.current === null || !element) return;
    element.focus({ preventScroll: true });
    if (element instanceof HTMLTextAreaElement) element.setSelectionRange(Number(wanted.current), Number(wanted.current));
    wanted.current = null;
  };
  const type = (next: string | null) => actor.send({ type: "typing.changed", key: "text", text: next });
  const save = (next: string) => actor.send({ type: "text.edited", text: next });
  const open = (caret: number) => {
    wanted.current = caret;
    type(text);
  };
  const onMouseUp = ({ currentTarget, clientX, clientY, button }: MouseEvent) => {
    if (editable && button === 0 && getSelection()?.isCollapsed !== false) open(offsetAt(currentTarget, text, clientX, clientY));
  };
  const onBlur = ({ currentTarget }: FocusEvent) => {
    if (!isEdited) return;
    save(typed.trim());
    // If only the window has lost the focus, the field stays open.
    if (currentTarget.contains(document.activeElement)) type(typed.trim());
  };
  return (
    <section className="stack starts gap-4" aria-label={t("transcript.textLabel")} ref={giveFocus} onBlur={onBlur}>
      {isEdited ? (
        <div className="measure size-3 reading as-written">
          <Editor
            text={typed}
            label={t("transcript.textLabel")}
            maxLength={2_000_000}
            onType={type}
            onClose={(next) => {
              wanted.current = "button";
              if (next === null) type(null);
              else save(next);
            }}
          />
        </div>
      ) : text ? (
        // Mouse only; keyboard users open the field with the button below.
        <p className="measure size-3 reading as-written" dir="auto" onMouseUp={onMouseUp}>
          {text}
        </p>
      ) : null}
      {translation ? (
        <section aria-label={t("transcript.view.translation")}>
          <h2>{t("transcript.view.translation")}</h2>
          <p className="measure size-3 reading as-written" dir="auto">
            {translation}
          </p>
        </section>
      ) : null}
      {editable && !isEdited ? (
        <Button icon="edit" onClick={() => open(text.length)}>
          {t(text ? "transcript.editText" : "transcript.writeText")}
        </Button>
      ) : null}
    </section>
  );
}
