import { useSelector } from "@xstate/react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { selectTyping } from "#machines/transcription/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import type { OpenTranscription } from "./actor.ts";
import { Editor } from "./editor.tsx";
import styles from "./transcript.module.css";

interface PlainTextProps {
  actor: OpenTranscription["actor"];
  text: string;
  /** "": no text. */
  translation: string;
  editable: boolean;
}

/** A text without times. */
export function PlainText({ actor, text, translation, editable }: PlainTextProps) {
  const { t } = useTranslation("app");
  const typed = useSelector(actor, (snapshot) => selectTyping(snapshot).text);
  const began = useRef(false);
  const type = (next: string | null) => actor.send({ type: "typing.changed", key: "text", text: next });
  if (typed !== undefined && editable) {
    return (
      <Editor
        text={typed}
        label={t("transcript.textLabel")}
        focus={began.current}
        maxLength={2_000_000}
        onType={type}
        onCancel={() => type(null)}
        onSave={(next) => actor.send({ type: "text.edited", text: next })}
      />
    );
  }
  return (
    <div className={styles.plainFrame}>
      {text ? (
        <p className={styles.plain} dir="auto">
          {text}
        </p>
      ) : null}
      {translation ? (
        <section aria-label={t("transcript.view.translation")}>
          <h2>{t("transcript.view.translation")}</h2>
          <p className={styles.plain} dir="auto">
            {translation}
          </p>
        </section>
      ) : null}
      {editable ? (
        <Button
          ref={(button) => {
            // The editor has closed: the focus returns.
            if (button && began.current) button.focus({ preventScroll: true });
            if (button) began.current = false;
          }}
          icon="edit"
          onClick={() => {
            began.current = true;
            type(text);
          }}
        >
          {t(text ? "transcript.editText" : "transcript.writeText")}
        </Button>
      ) : null}
    </div>
  );
}
