import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer, SpeechLanguage } from "#contract/index.ts";
import { selectIsSuperuser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";

interface SlowModelNoticeProps {
  engines: EnginesAnswer;
  language: SpeechLanguage;
}

/**
 * Warns that words appear later than they are spoken, if the server has measured that. Superusers get a link to choose
 * another model.
 */
export function SlowModelNotice({ engines, language }: SlowModelNoticeProps) {
  const { t } = useTranslation("app");
  const isSuperuser = useSelector(openSession(), selectIsSuperuser);
  const option = engines.speech.languages.find(({ code }) => code === language);
  if (option?.available !== true || option.keepsUp !== false) return null;
  return (
    <Notice
      actions={
        isSuperuser ? (
          <Link className={buttonClass("secondary")} to="/admin/models">
            {t("languages.chooseFaster")}
          </Link>
        ) : null
      }
    >
      {t("languages.slow")}
    </Notice>
  );
}
