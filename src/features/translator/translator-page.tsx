import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { exportFormats } from "#contract/index.ts";
import { selectIsExporting } from "#machines/transcription/output.ts";
import { selectTranscriptionId } from "#machines/translator/conversation.ts";
import { selectIsUnderWay } from "#machines/translator/selectors.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { UsageMeter } from "#src/features/subscription/usage-meter.tsx";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Menu } from "#src/ui/menu.tsx";
import { Page } from "#src/ui/page.tsx";
import type { Translator } from "./actor.ts";
import { Notices } from "./notices.tsx";
import { pushToTalk } from "./push-to-talk.ts";
import { Settings } from "./settings.tsx";
import { detected } from "./side-languages.ts";
import { SidePanel } from "./side-panel.tsx";
import { Status } from "./status.tsx";
import styles from "./translator.module.css";
import { TurnList } from "./turn-list.tsx";

const intoView = (stage: HTMLElement | null) => stage?.scrollIntoView({ block: "start" });

/** Two people, two languages: one speaks or types, the other reads and hears it. */
export function TranslatorPage({ translator }: { translator: Translator }) {
  if (!canTranscribe(translator.engines)) return <NotOffered feature="translating" />;
  return <Stage translator={translator} />;
}

function Stage({ translator }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  const { choices } = translator;
  const { faceToFace } = useSyncExternalStore(choices.subscribe, choices.get);
  const [listenForKeys] = useState(() => pushToTalk(translator));
  return (
    <Page title={t("titles.voiceTranslator")} lead={t("lead")} actions={<Conversation translator={translator} />}>
      <UsageMeter />
      <div className={styles.translator} ref={listenForKeys}>
        <Notices translator={translator} />
        <div
          className={`${styles.stage} ${faceToFace ? styles.faceToFace : ""}`}
          // With the device lying flat, both halves must be visible.
          ref={faceToFace ? intoView : undefined}
        >
          <SidePanel translator={translator} side={0} />
          <div className={styles.state}>
            <Status translator={translator} />
          </div>
          <div className={styles.swap}>
            <Swap translator={translator} />
          </div>
          <SidePanel translator={translator} side={1} />
        </div>
        <p className={styles.keys}>{t("keys")}</p>
        <Settings translator={translator} />
        <TurnList translator={translator} />
      </div>
    </Page>
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

/** Actions on the whole conversation, which is in the history from its first turn on. */
function Conversation({ translator: { conversation, output, actor } }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  const id = useSelector(conversation.actor, selectTranscriptionId);
  const isExporting = useSelector(output, selectIsExporting);
  const isUnderWay = useSelector(actor, selectIsUnderWay);
  const turns = useSyncExternalStore(conversation.turns.subscribe, conversation.turns.get);
  if (turns.length === 0) return null;
  return (
    <div className={styles.conversation}>
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
          // The button disappears with its purpose.
          focusHeading();
        }}
      >
        {t("renew")}
      </Button>
    </div>
  );
}
