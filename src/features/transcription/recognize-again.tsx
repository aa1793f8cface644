import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import type { OpenTranscription } from "./actor.ts";
import { MenuQuestion } from "./menu-question.tsx";

/** Has the server recognize the sound, after a question: the new text replaces the one that a browser or a device has made. */
export function RecognizeAgain({ actor }: Pick<OpenTranscription, "actor">) {
  const { t } = useTranslation("app");
  return (
    <MenuQuestion icon="retry" label={t("transcript.recognizeAgain.action")}>
      {(close) => (
        <ConfirmDialog
          title={t("transcript.recognizeAgain.title")}
          text={t("transcript.recognizeAgain.text")}
          confirmLabel={t("transcript.recognizeAgain.yes")}
          cancelLabel={t("transcript.recognizeAgain.no")}
          icon="retry"
          onConfirm={() => actor.send({ type: "recognition.requested" })}
          onCancel={close}
        />
      )}
    </MenuQuestion>
  );
}
