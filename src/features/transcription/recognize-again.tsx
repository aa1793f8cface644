import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import type { OpenTranscription } from "./actor.ts";
import { MenuQuestion } from "./menu-question.tsx";

/** Recognizes the audio on the server, after a confirmation. The new text replaces that of the browser or device. */
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
