import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { is } from "valibot";
import {
  type AudioTrack,
  type EnginesAnswer,
  HeardBy,
  isReworked,
  statusOf,
  type Transcription,
  talkTimes,
} from "#contract/index.ts";
import { selectHasLimit } from "#machines/subscription/usage.ts";
import { selectTranslatingTo } from "#machines/transcription/selectors.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { targetsFor } from "#src/features/engines/choosable-languages.ts";
import { openUsage } from "#src/features/subscription/usage.ts";
import { deletions } from "#src/features/transcriptions/deletions.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Menu } from "#src/ui/menu.tsx";
import type { OpenTranscription } from "./actor.ts";
import { type DrawerContent, openerIds } from "./drawer.tsx";
import { Origin } from "./facts.tsx";
import { Filed } from "./filed.tsx";
import { OtherTrack } from "./other-track.tsx";
import { CopyButton } from "./output-tools.tsx";
import { RecognizeAgain } from "./recognize-again.tsx";
import styles from "./transcript.module.css";
import { openFind, UndoButtons } from "./transcript-bar.tsx";

export interface ToolsProps {
  open: OpenTranscription;
  engines: EnginesAnswer | null;
  transcription: Transcription;
  /** The panel that is open beside the text. */
  drawer: DrawerContent | null;
  onDrawer(content: DrawerContent | null): void;
  /** Whether the page offers notes. */
  notable: boolean;
  editable: boolean;
}

/** Whether a finished transcription belongs to the user and has audio. */
const hasOwnSound = ({ hasAudio, access, status }: Transcription): boolean =>
  access === undefined && statusOf(status) === "completed" && hasAudio;

/** Whether the server can identify the transcription's speakers. */
export const canDiarize = (engines: EnginesAnswer | null, transcription: Transcription): boolean =>
  hasOwnSound(transcription) && engines?.speech.diarizes === true;

/** Whether the server can recognize the audio of a text that a browser or device has recognized. */
function canRecognize(engines: EnginesAnswer | null, transcription: Transcription): boolean {
  const { engine, sourceLanguage } = transcription;
  const isRecognized = engines?.speech.languages.some(({ code, available }) => code === sourceLanguage && available);
  return hasOwnSound(transcription) && is(HeardBy, engine) && isRecognized === true && !isReworked(transcription);
}

/** The other sound tracks that the server could recognize. */
function otherTracks(engines: EnginesAnswer | null, transcription: Transcription): readonly AudioTrack[] | undefined {
  const isPossible = engines !== null && canTranscribe(engines) && !isReworked(transcription);
  return isPossible && hasOwnSound(transcription) ? transcription.tracks : undefined;
}

/** Rarely used actions on the whole transcription. */
export function MoreMenu({ open, engines, transcription, drawer, onDrawer, notable, editable }: ToolsProps) {
  const { t } = useTranslation("app");
  const finished = statusOf(transcription.status) === "completed";
  const own = transcription.access === undefined;
  const { segments } = transcription;
  const tracks = otherTracks(engines, transcription);
  const hasMaker = engines === null || engines.insights === true || transcription.hasInsights === true;
  const offered = {
    insights: own && finished && segments.length > 0 && hasMaker,
    notes: notable,
    speakers: canDiarize(engines, transcription) || talkTimes(segments).length > 1,
  };
  const icons = { insights: "sparkle", notes: "feedback", speakers: "users" } as const;
  return (
    <Menu label={t("transcript.actions")} icon="more" iconOnly="everywhere" id={openerIds.menu}>
      <div className={styles.phoneTools}>
        {editable ? <UndoButtons open={open} /> : null}
        {segments.length > 0 ? (
          <IconButton icon="search" label={t("transcript.find.open")} onClick={() => openFind(open)} />
        ) : null}
      </div>
      {own && (engines === null || canTranscribe(engines)) ? (
        <div className={styles.translateTo}>
          <TranslateTo open={open} engines={engines} transcription={transcription} />
        </div>
      ) : null}
      <CopyButton output={open.output} transcription={transcription} />
      {(["insights", "notes", "speakers"] as const).map((content) =>
        offered[content] ? (
          <Button
            key={content}
            look="quiet"
            icon={icons[content]}
            aria-expanded={drawer === content}
            onClick={() => onDrawer(drawer === content ? null : content)}
          >
            {t(content === "speakers" ? "transcript.speakers.title" : `transcript.${content}.open`)}
          </Button>
        ) : null,
      )}
      {own ? <Filed open={open} transcription={transcription} as="menus" /> : null}
      {canRecognize(engines, transcription) ? <RecognizeAgain actor={open.actor} /> : null}
      {engines === null || tracks === undefined ? null : (
        <OtherTrack actor={open.actor} engines={engines} transcription={transcription} tracks={tracks} />
      )}
      {own && finished && transcription.hasAudio ? <Encrypt id={transcription.id} /> : null}
      {own ? (
        <Button icon="trash" look="quiet" onClick={() => deletions.begin([transcription])}>
          {t("transcript.delete")}
        </Button>
      ) : null}
      <Origin open={open} engines={engines} transcription={transcription} />
    </Menu>
  );
}

/** Moves the audio to the vault. On the free plan, a lock shows this needs more, and leads to the subscription. */
function Encrypt({ id }: { id: string }) {
  const { t } = useTranslation("app");
  const locked = useSelector(openUsage(), selectHasLimit);
  const reason = useId();
  if (locked) {
    return (
      <>
        <Link className={buttonClass("quiet")} to="/subscription" preload={false} aria-describedby={reason}>
          <Icon name="lock" />
          {t("transcript.encrypt")}
        </Link>
        <span className={`fine ${styles.locked}`} id={reason}>
          {t("transcript.encryptNeeds")}
        </span>
      </>
    );
  }
  return (
    <Link
      className={buttonClass("quiet")}
      to="/encrypted-audio/$transcriptionId"
      params={{ transcriptionId: id }}
      preload={false}
    >
      <Icon name="shield" />
      {t("transcript.encrypt")}
    </Link>
  );
}

function TranslateTo({ open: { actor }, engines, transcription }: Pick<ToolsProps, "open" | "engines" | "transcription">) {
  const { t, i18n } = useTranslation("app");
  const translating = useSelector(actor, selectTranslatingTo);
  const chosen = translating === undefined ? transcription.targetLanguage : translating;
  const targets = engines ? targetsFor(engines, transcription.sourceLanguage) : [];
  const codes = chosen === null || targets.includes(chosen) ? targets : [...targets, chosen];
  return (
    <SelectField
      label={t("transcript.translate")}
      name="targetLanguage"
      value={chosen ?? ""}
      disabled={codes.length === 0}
      aria-busy={translating !== undefined || undefined}
      onChange={(event) => actor.send({ type: "translation.requested", targetLanguage: event.target.value || null })}
    >
      <option value="">{t("transcript.noTranslation")}</option>
      <Options of={codes.map((code) => [code, languageName(code, i18n.language)])} />
    </SelectField>
  );
}
