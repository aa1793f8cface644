import { useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import type { OpenTranscription } from "./actor.ts";

/** Has the server recognize the sound, after a question: the new text replaces the one that a browser or a device has made. */
export function RecognizeAgain({ actor }: Pick<OpenTranscription, "actor">) {
  const { t } = useTranslation("app");
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button icon="retry" look="quiet" onClick={() => setIsAsking(true)}>
        {t("transcript.recognizeAgain.action")}
      </Button>
      {/* Outside the menu, which closes. */}
      {isAsking
        ? createPortal(
            <ConfirmDialog
              title={t("transcript.recognizeAgain.title")}
              text={t("transcript.recognizeAgain.text")}
              confirmLabel={t("transcript.recognizeAgain.yes")}
              cancelLabel={t("transcript.recognizeAgain.no")}
              icon="retry"
              onConfirm={() => actor.send({ type: "recognition.requested" })}
              onCancel={() => {
                setIsAsking(false);
                // What has opened it is in a menu that is closed by now.
                focusHeading();
              }}
            />,
            document.body,
          )
        : null}
    </>
  );
}
