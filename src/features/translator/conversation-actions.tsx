import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { exportFormats } from "#contract/index.ts";
import { selectIsExporting } from "#machines/transcription/output.ts";
import { selectTranscriptionId } from "#machines/translator/conversation.ts";
import { selectIsUnderWay } from "#machines/translator/selectors.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Menu } from "#src/ui/menu.tsx";
import type { Translator } from "./actor.ts";

/** Actions on the whole conversation, which is in the history from its first turn on. */
export function ConversationActions({ translator: { conversation, output, actor } }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  const id = useSelector(conversation.actor, selectTranscriptionId);
  const isExporting = useSelector(output, selectIsExporting);
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  return (
    <div className="row">
      {id === null ? null : (
        <>
          <Link className={buttonClass("secondary")} to="/transcription/$id" params={{ id }}>
            {t("open")}
          </Link>
          <Menu label={t("export")} icon="download" busy={isExporting}>
            {exportFormats.map((format) => (
              <Button
                key={format}
                look="quiet"
                onClick={() => output.send({ type: "export.requested", format, content: "both" })}
              >
                {t(`app:transcript.formats.${format}`)}
              </Button>
            ))}
          </Menu>
        </>
      )}
      <Button
        icon="plus"
        disabled={isUnderWay}
        onClick={() => {
          conversation.renew();
          // The button disappears when it has nothing left to do.
          focusHeading();
        }}
      >
        {t("renew")}
      </Button>
    </div>
  );
}
