import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsFaceToFace } from "#machines/translator/face-to-face.ts";
import { selectIsBusy, selectIsRecorded, selectIsUnderWay } from "#machines/translator/selectors.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { CaptionsButton, CaptionsInSight } from "#src/features/dictation/captions-window.tsx";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UsageMeter, useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";
import type { Translator } from "./actor.ts";
import { FaceToFace } from "./face-to-face.tsx";
import { Notices } from "./notices.tsx";
import { Settings } from "./settings.tsx";
import { detected } from "./side-languages.ts";
import { SidePanel } from "./side-panel.tsx";
import { Status } from "./status.tsx";
import styles from "./translator.module.css";
import { TurnList } from "./turn-list.tsx";

/** The translator for two people with two languages. One speaks or types, the other reads and listens. */
export function TranslatorPage({ translator }: { translator: Translator }) {
  if (!canTranscribe(translator.engines)) return <NotOffered feature="translating" />;
  return <Stage translator={translator} />;
}

function Stage({ translator }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  const isFaceToFace = useSelector(translator.faceToFace, selectIsFaceToFace);
  const isRecorded = useSelector(translator.actor, selectIsRecorded);
  const isInUse = useSelector(translator.actor, (snapshot) => selectIsUnderWay(snapshot) || selectIsBusy(snapshot));
  const isAtLimit = useIsAtLimit();
  // Renders the same elements whether a turn is recorded or not, so that the pressed button keeps the focus.
  return (
    <>
      <div className={`${styles.frame} ${isRecorded ? styles.speaking : ""}`} data-under-way={isInUse || undefined}>
        <Page title={t("titles.voiceTranslator")} actions={<Lay translator={translator} />}>
          {isAtLimit ? <UsageMeter /> : null}
          <div className={`stack gap-5 ${styles.translator}`} ref={translator.pushToTalk.listen}>
            <Notices translator={translator} />
            <div className={styles.stage}>
              <SidePanel translator={translator} side={0} />
              <div className={styles.state}>
                <Status translator={translator} />
              </div>
              <div className={styles.swap}>
                <Swap translator={translator} />
              </div>
              <SidePanel translator={translator} side={1} />
            </div>
            <div className={`stack gap-5 ${styles.rest}`}>
              {isAtLimit ? null : <UsageMeter />}
              <p className={`fine ${styles.keys}`}>{t("keys")}</p>
              <Settings translator={translator} />
              <TurnList translator={translator} />
            </div>
          </div>
        </Page>
      </div>
      <CaptionsInSight recorder={translator.recorder} onStop={() => translator.actor.send({ type: "stop.requested" })} />
      {isFaceToFace ? <FaceToFace translator={translator} /> : null}
    </>
  );
}

/** Opens the face-to-face view, or the captions in their own window. */
function Lay({ translator: { faceToFace, recorder } }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  return (
    <>
      <CaptionsButton recorder={recorder} labelClass={styles.layLabel} />
      <Button icon="users" onClick={() => faceToFace.send({ type: "open.requested" })}>
        <span className={styles.layLabel}>{t("faceToFace")}</span>
      </Button>
    </>
  );
}

function Swap({ translator: { actor, choices } }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  const { sides } = useSyncExternalStore(choices.subscribe, choices.get);
  return (
    <IconButton
      look="secondary"
      icon="swap"
      label={t("swap")}
      disabled={isUnderWay || sides[0] === detected}
      onClick={() => choices.swap()}
    />
  );
}
