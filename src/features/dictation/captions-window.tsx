import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import {
  type CaptionsLook,
  largest,
  selectIsFloating,
  selectIsOverPage,
  selectIsWanted,
  selectLook,
  selectReason,
} from "#machines/dictation/captions-window/machine.ts";
import { selectCanStop, selectSourceLanguage, selectTargetLanguage } from "#machines/dictation/selectors.ts";
import type { CaptionLine } from "#src/audio/captions.ts";
import { InterimText } from "#src/features/dictation/interim-text.tsx";
import { Button, IconButton } from "#src/ui/button.tsx";
import styles from "./captions-window.module.css";
import type { Recorder } from "./recorder-actor.ts";

interface CaptionsProps {
  recorder: Recorder;
  /** Ends the speech. Default: ends the recording. */
  onStop?: (() => void) | undefined;
}

/** Opens and closes the captions, in a window on top of others or over the page. */
export function CaptionsButton({
  recorder: { captionsWindow },
  labelClass,
}: Pick<CaptionsProps, "recorder"> & { labelClass?: string | undefined }) {
  const { t } = useTranslation("dictation");
  const isWanted = useSelector(captionsWindow.actor, selectIsWanted);
  return (
    <Button
      icon={isWanted ? "close" : "expand"}
      onClick={() => captionsWindow.actor.send({ type: isWanted ? "close.requested" : "open.requested" })}
    >
      <span className={labelClass}>{t(isWanted ? "captions.close" : "captions.open")}</span>
    </Button>
  );
}

/** Renders the captions where they stay visible, if the user has opened them. */
export function CaptionsInSight(props: CaptionsProps) {
  const { t } = useTranslation("dictation");
  const { actor, host } = props.recorder.captionsWindow;
  const element = useSyncExternalStore(host.subscribe, host.get);
  const isFloating = useSelector(actor, selectIsFloating);
  const isOverPage = useSelector(actor, selectIsOverPage);
  if (isFloating && element !== undefined) {
    return createPortal(
      <>
        <title>{t("captions.title")}</title>
        <Captions {...props} />
      </>,
      element,
    );
  }
  if (!isOverPage) return null;
  return (
    <dialog
      ref={(dialog) => {
        if (dialog && !dialog.open) dialog.showModal();
      }}
      className={styles.overPage}
      aria-label={t("captions.title")}
      onClose={() => actor.send({ type: "close.requested" })}
    >
      <Captions {...props} isOverPage />
    </dialog>
  );
}

/** Number of visible lines. Earlier lines are on the page. */
const shownLines = 3;

function Captions({ recorder, onStop, isOverPage = false }: CaptionsProps & { isOverPage?: boolean }) {
  const { actor, captions, captionsWindow } = recorder;
  const { t } = useTranslation("dictation");
  const { lines, partial } = useSyncExternalStore(captions.subscribe, captions.get);
  const look = useSelector(captionsWindow.actor, selectLook);
  const reason = useSelector(captionsWindow.actor, selectReason);
  const source = useSelector(actor, selectSourceLanguage);
  const target = useSelector(actor, selectTargetLanguage);
  const last = lines.slice(-shownLines);
  const isEmpty = lines.length === 0 && partial === null;
  // A separate window is a document of its own, and needs a `main`.
  const Frame = isOverPage ? "section" : "main";
  return (
    <Frame className={`${styles.captions} ${look.isHighContrast ? styles.contrast : ""}`} aria-label={t("captions.region")}>
      {isOverPage ? (
        <p className={styles.reason}>{t(`captions.${reason}`)}</p>
      ) : (
        <h1 className="visuallyHidden">{t("captions.title")}</h1>
      )}
      <div className={`${styles.lines} ${styles[`size${look.size}`]}`} data-testid="captions-in-sight">
        {isEmpty ? <p className={styles.soft}>{t("captions.empty")}</p> : null}
        {/* Interim text is outside of the live region, so it is not announced. */}
        <div aria-live="polite" lang={source === "auto" ? undefined : source}>
          {last.map(({ start, text }) => (
            <p key={start}>{text}</p>
          ))}
        </div>
        {partial ? (
          <p lang={source === "auto" ? undefined : source}>
            <InterimText {...partial} />
          </p>
        ) : null}
        {target === null ? null : <Translated lines={last} draft={partial?.translation} target={target} />}
      </div>
      <Tools recorder={recorder} look={look} onStop={onStop} isOverPage={isOverPage} />
    </Frame>
  );
}

interface TranslatedProps {
  lines: readonly CaptionLine[];
  /** The translation of the interim text. */
  draft: string | undefined;
  target: string;
}

function Translated({ lines, draft, target }: TranslatedProps) {
  const drafts = [...lines.flatMap((line) => (line.translation === undefined ? [line.draft] : [])), draft];
  const shown = drafts.filter((text) => text !== undefined).join(" ");
  return (
    <div className={styles.translated} lang={target}>
      <div aria-live="polite">
        {lines.map(({ start, translation }) => (translation === undefined ? null : <p key={start}>{translation}</p>))}
      </div>
      {shown === "" ? null : <p className={styles.soft}>{shown}</p>}
    </div>
  );
}

interface ToolsProps extends CaptionsProps {
  look: CaptionsLook;
  isOverPage: boolean;
}

function Tools({ recorder: { actor, captionsWindow }, look, onStop, isOverPage }: ToolsProps) {
  const { t } = useTranslation("dictation");
  const canStop = useSelector(actor, selectCanStop);
  const { send } = captionsWindow.actor;
  return (
    <div className={`row ${styles.tools}`}>
      {isOverPage ? (
        // Comes first, so that it has the focus when the dialog opens. Closing the dialog restores the focus.
        <Button icon="close" onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
          {t("captions.close")}
        </Button>
      ) : null}
      {canStop ? (
        <Button icon="stop" onClick={onStop ?? (() => actor.send({ type: "stop.requested" }))}>
          {t("captions.stop")}
        </Button>
      ) : null}
      <IconButton
        icon="minus"
        label={t("captions.smaller")}
        aria-disabled={look.size === 0 || undefined}
        onClick={() => send({ type: "size.stepped", steps: -1 })}
      />
      <IconButton
        icon="plus"
        label={t("captions.larger")}
        aria-disabled={look.size === largest || undefined}
        onClick={() => send({ type: "size.stepped", steps: 1 })}
      />
      <Button look="quiet" aria-pressed={look.isHighContrast} onClick={() => send({ type: "contrast.toggled" })}>
        {t("captions.contrast")}
      </Button>
    </div>
  );
}
