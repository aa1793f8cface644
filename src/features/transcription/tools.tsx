import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, statusOf, type Transcription } from "#contract/index.ts";
import { withPlacing } from "#machines/filing/rules.ts";
import { selectHasLimit } from "#machines/subscription/usage.ts";
import { selectIsSaving, selectSaved, selectTranslatingTo } from "#machines/transcription/selectors.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { targetsFor } from "#src/features/engines/choosable-languages.ts";
import { openUsage } from "#src/features/subscription/usage.ts";
import { deletions } from "#src/features/transcriptions/deletions.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { SelectField } from "#src/ui/field.tsx";
import { Icon } from "#src/ui/icon.tsx";
import type { OpenTranscription } from "./actor.ts";
import { OutputTools } from "./output-tools.tsx";
import { leaving } from "./player.ts";
import { WhoSpoke } from "./speakers.tsx";
import styles from "./transcript.module.css";

interface ToolsProps {
  open: OpenTranscription;
  engines: EnginesAnswer | null;
  transcription: Transcription;
}

/** Where the focus returns to when what a language model makes of the transcript is closed. */
export const insightsButtonId = "insights-button";

/** The same for the links to the transcript. */
export const sharingButtonId = "sharing-button";

/** The same for what was noted. */
export const notesButtonId = "notes-button";

interface PanelProps {
  /** Whether the summary, tasks, chapters and questions are open. */
  understanding: boolean;
  onUnderstand(open: boolean): void;
  /** Whether the links to the transcript are. */
  sharing: boolean;
  onShare(open: boolean): void;
  /** Whether the highlights and notes are; undefined where none are offered. */
  noting: boolean | undefined;
  onNote(open: boolean): void;
}

/** Loaded with what they show. */
const filed = {
  labels: lazy(async () => ({ default: (await import("#src/features/filing/own.tsx")).OwnLabels })),
  menus: lazy(async () => ({ default: (await import("#src/features/filing/own.tsx")).OwnMenus })),
};

/** The folder and the tags of the transcript, or what changes them. */
export function Filed({ open, transcription, as }: Pick<ToolsProps, "open" | "transcription"> & { as: keyof typeof filed }) {
  const Part = filed[as];
  const { actor } = open;
  return (
    <Suspense fallback={as === "menus" ? <span /> : null}>
      <Part
        item={transcription}
        onPlaced={(placing) => {
          const saved = selectSaved(actor.getSnapshot());
          if (saved !== null) actor.send({ type: "transcription.updated", transcription: withPlacing(saved, placing) });
        }}
        onLeave={leaving(open)}
      />
    </Suspense>
  );
}

/** Actions on the whole transcription. */
export function Tools({ open, engines, transcription, ...panels }: ToolsProps & PanelProps) {
  const { understanding, onUnderstand, sharing, onShare, noting, onNote } = panels;
  const { t } = useTranslation("app");
  const { actor, output } = open;
  const saving = useSelector(actor, selectIsSaving);
  const translating = useSelector(actor, selectTranslatingTo);
  const finished = statusOf(transcription.status) === "completed";
  const own = transcription.access === undefined;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.tools} data-open={isOpen || undefined}>
      <Button className={styles.actions} icon="list" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t("transcript.actions")}
      </Button>
      {own && (engines === null || canTranscribe(engines)) ? (
        <TranslateTo open={open} engines={engines} transcription={transcription} />
      ) : null}
      <OutputTools
        output={output}
        transcription={transcription}
        exportable={finished && (engines === null || canTranscribe(engines))}
      />
      {own && finished && transcription.segments.length > 0 ? (
        <Button id={insightsButtonId} icon="sparkle" aria-expanded={understanding} onClick={() => onUnderstand(!understanding)}>
          {t("transcript.insights.open")}
        </Button>
      ) : null}
      {own && finished ? (
        <Button id={sharingButtonId} icon="share" aria-expanded={sharing} onClick={() => onShare(!sharing)}>
          {t("transcript.sharing.open")}
        </Button>
      ) : null}
      {noting === undefined ? null : (
        <Button id={notesButtonId} icon="feedback" aria-expanded={noting} onClick={() => onNote(!noting)}>
          {t("transcript.notes.open")}
        </Button>
      )}
      {own ? (
        <div className={styles.filing}>
          <Filed open={open} transcription={transcription} as="menus" />
        </div>
      ) : null}
      {own && finished && transcription.hasAudio && engines?.speech.diarizes === true ? (
        <WhoSpoke actor={actor} transcription={transcription} />
      ) : null}
      {own && finished && transcription.hasAudio ? <Encrypt id={transcription.id} /> : null}
      {own ? (
        <Button icon="trash" look="quiet" onClick={() => deletions.begin([transcription])}>
          {t("transcript.delete")}
        </Button>
      ) : null}
      <span className={styles.saving} role="status">
        {saving ? t(translating ? "transcript.translating" : "transcript.saving") : ""}
      </span>
    </div>
  );
}

/** The way into the vault. On the free plan it says beforehand that it needs more: the lock leads to the subscription. */
function Encrypt({ id }: { id: string }) {
  const { t } = useTranslation("app");
  const locked = useSelector(openUsage(), selectHasLimit);
  const reason = useId();
  if (locked) {
    return (
      <>
        <Link className={buttonClass("secondary")} to="/subscription" preload={false} aria-describedby={reason}>
          <Icon name="lock" />
          {t("transcript.encrypt")}
        </Link>
        <span className={styles.locked} id={reason}>
          {t("transcript.encryptNeeds")}
        </span>
      </>
    );
  }
  return (
    <Link
      className={buttonClass("secondary")}
      to="/encrypted-audio/$transcriptionId"
      params={{ transcriptionId: id }}
      preload={false}
    >
      <Icon name="shield" />
      {t("transcript.encrypt")}
    </Link>
  );
}

function TranslateTo({ open: { actor }, engines, transcription }: ToolsProps) {
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
      {codes.map((code) => (
        <option key={code} value={code}>
          {languageName(code, i18n.language)}
        </option>
      ))}
    </SelectField>
  );
}
