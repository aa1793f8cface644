import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectSide, type TranslatorStatus } from "#machines/translator/selectors.ts";
import { Clock, LevelMeter } from "#src/features/dictation/level-meter.tsx";
import { Button } from "#src/ui/button.tsx";
import type { Translator } from "./actor.ts";
import { useLanguageName } from "./language-names.ts";
import styles from "./status.module.css";
import { StatusPicture } from "./status-picture.tsx";
import { useStatus } from "./use-status.ts";

const quiet: readonly TranslatorStatus[] = ["idle", "paused", "nothingHeard"];
const bad: readonly TranslatorStatus[] = ["failed", "offline", "limited"];

/** The conversation's state as a picture and a sentence. While recording, also the level and duration. */
export function Status({ translator }: { translator: Translator }) {
  const { actor, recorder, choices } = translator;
  const { t } = useTranslation("translator");
  const nameOf = useLanguageName(translator);
  const status = useStatus(translator);
  const side = useSelector(actor, selectSide);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  const look = bad.includes(status) ? styles.bad : quiet.includes(status) ? styles.quiet : "";
  return (
    <div className={`line gap-4 ${styles.status} ${look}`} data-testid="status" data-status={status}>
      <StatusPicture status={status} />
      <div className={`stack gap-1 ${styles.text}`}>
        <p role="status">{t(`status.${status}`, { language: nameOf(sides[side]) })}</p>
        {status === "listening" ? (
          <p className={`line gap-3 note digits ${styles.meters}`}>
            <Clock seconds={recorder.elapsed} />
            <LevelMeter level={recorder.level} />
          </p>
        ) : null}
      </div>
      {status === "speaking" || status === "replaying" ? (
        <Button icon="stop" onClick={() => actor.send({ type: "stop.requested" })}>
          {t("turn.stop")}
        </Button>
      ) : null}
    </div>
  );
}
