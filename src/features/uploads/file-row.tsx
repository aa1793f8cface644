import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { UploadFile, UploadState } from "#machines/uploads/events.ts";
import type { UploadRef } from "#machines/uploads/machine.ts";
import {
  selectCanCancel,
  selectCanPause,
  selectCanResume,
  selectCanRetry,
  selectFailure,
  selectFile,
  selectProgress,
  selectState,
  selectText,
  selectTranscription,
  selectTranscriptionId,
  selectWarning,
} from "#machines/uploads/selectors.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { UpgradeLink, useFits } from "#src/features/subscription/upgrade-link.tsx";
import { JobProgress } from "#src/features/transcriptions/job-progress.tsx";
import { problemKeys, retryKey } from "#src/features/transcriptions/problem.ts";
import { Why } from "#src/features/transcriptions/why.tsx";
import { bytes } from "#src/i18n/format.ts";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { giveFile } from "./actor.ts";
import styles from "./speech-to-text.module.css";

/** Maximum characters of the preview: three lines of the widest page. */
const previewLength = 400;

interface FileRowProps {
  /** Renders a separate card, or a row among others. */
  look?: "card" | "row";
  upload: UploadRef;
  /** Bytes sent in the current attempt. */
  sent: ReadableStore<number>;
  /** @param row the element that is about to be removed */
  onDismiss(row: HTMLElement | null): void;
}

/** One file: state, progress, result, and actions. */
export function FileRow({ look = "card", upload, sent, onDismiss }: FileRowProps) {
  const { t, i18n } = useTranslation("app");
  const row = useRef<HTMLLIElement>(null);
  const file = useSelector(upload, selectFile);
  const state = useSelector(upload, selectState);
  const canCancel = useSelector(upload, selectCanCancel);
  const canRetry = useSelector(upload, selectCanRetry);
  const canPause = useSelector(upload, selectCanPause);
  const canResume = useSelector(upload, selectCanResume);
  const id = useSelector(upload, selectTranscriptionId);
  const failure = useSelector(upload, selectFailure);
  const seconds = useSelector(upload, selectTranscription)?.durationSeconds ?? null;
  const fits = useFits(seconds);
  // The pressed button disappears with the previous state, so the row takes the focus.
  const request = (type: "retry.requested" | "cancel.requested" | "pause.requested" | "resume.requested") => {
    row.current?.focus();
    upload.send({ type });
  };
  const name = file.name;
  // In the history, the transcript's row replaces this one when the last byte has arrived.
  const isSending = isOnItsWay.has(state) || (look === "row" && state === "processing");
  return (
    <li ref={row} className={`${styles.file} ${styles[look]}`} tabIndex={-1} data-testid="upload" data-state={state}>
      <div className={`stack gap-2 ${styles.fileBody}`}>
        <p>
          <bdi className={`strong anywhere ${styles.fileName}`}>{name}</bdi>{" "}
          <span className="fine digits">{bytes(file.size, i18n.language)}</span>
        </p>
        {state === "failed" ? null : <p className="fine digits">{t(`uploads.state.${state}`)}</p>}
        {isSending ? <Sent file={file} sent={sent} /> : null}
        {state === "processing" && !isSending ? <Work upload={upload} name={name} /> : null}
        <Outcome upload={upload} />
      </div>
      <div className={`row ${styles.fileActions}`}>
        {state === "completed" && id !== null ? (
          <Link className={buttonClass("secondary")} to="/transcription/$id" params={{ id }}>
            {t("uploads.open")}
            <span className="visuallyHidden">: {name}</span>
          </Link>
        ) : null}
        {state === "processing" && !isSending && id !== null ? (
          <Link className={buttonClass("secondary")} to="/file-processing/$transcriptionId" params={{ transcriptionId: id }}>
            {t("uploads:list.follow")}
            <span className="visuallyHidden">: {name}</span>
          </Link>
        ) : null}
        {state === "missing" ? <FileAgain name={name} onFile={(chosen) => giveFile(upload, chosen)} /> : null}
        {canPause ? (
          <IconButton icon="pause" label={t("uploads:list.pause", { name })} onClick={() => request("pause.requested")} />
        ) : null}
        {canResume ? (
          <Button icon="play" onClick={() => request("resume.requested")}>
            {t("uploads:list.resume")}
            <span className="visuallyHidden">: {name}</span>
          </Button>
        ) : null}
        <UpgradeLink code={failure} seconds={seconds} look="secondary" />
        {canRetry ? (
          <Button icon="retry" onClick={() => request("retry.requested")}>
            {t(state === "failed" || state === "cancelled" ? retryKey(failure, fits) : "uploads.retryNow")}
            <span className="visuallyHidden">: {name}</span>
          </Button>
        ) : null}
        {canCancel ? (
          <IconButton icon="close" label={t("uploads.cancel", { name })} onClick={() => request("cancel.requested")} />
        ) : (
          <IconButton icon="close" label={t("uploads.dismiss", { name })} onClick={() => onDismiss(row.current)} />
        )}
      </div>
    </li>
  );
}

/**
 * The states before the upload is complete. All of them show the sent bytes, even if there are none, so that the files
 * below don't move.
 */
const isOnItsWay: ReadonlySet<UploadState> = new Set([
  "checking",
  "queued",
  "uploading",
  "waitingForServer",
  "waitingForSignIn",
  "paused",
]);

/** Asks the user to choose the file of an unfinished upload again. */
function FileAgain({ name, onFile }: { name: string; onFile(file: File): void }) {
  const { t } = useTranslation("uploads");
  return (
    <FileButton label={t("list.chooseAgain")} onFiles={([file]) => file !== undefined && onFile(file)}>
      <span className="visuallyHidden">: {name}</span>
    </FileButton>
  );
}

/** The sent bytes. As high as the job's progress (JobProgress), which replaces this. */
function Sent({ file, sent }: { file: UploadFile; sent: ReadableStore<number> }) {
  const { t, i18n } = useTranslation("app");
  const loaded = useSyncExternalStore(sent.subscribe, sent.get, sent.get);
  const amounts = { loaded: bytes(loaded, i18n.language), size: bytes(file.size, i18n.language) };
  return (
    <div className={`stack gap-1 ${styles.sent}`}>
      <Progress label={t("uploads.uploadingOf", { name: file.name })} fraction={file.size === 0 ? 0 : loaded / file.size} />
      <p className="fine digits">{t("uploads.uploaded", amounts)}</p>
    </div>
  );
}

function Work({ upload, name }: { upload: UploadRef; name: string }) {
  return <JobProgress progress={useSelector(upload, selectProgress)} title={name} />;
}

/** The first lines of the text, or why there is none. */
function Outcome({ upload }: { upload: UploadRef }) {
  const { t } = useTranslation("app");
  const state = useSelector(upload, selectState);
  const failure = useSelector(upload, selectFailure);
  const warning = useSelector(upload, selectWarning);
  const text = useSelector(upload, selectText);
  const transcription = useSelector(upload, selectTranscription);
  if (failure !== null) {
    return (
      <p className={`wrong size-1 ${styles.problem}`}>
        {transcription ? <Why transcription={transcription} code={failure} /> : t(problemKeys(failure))}
      </p>
    );
  }
  return (
    <>
      {warning === null ? null : <p className={`wrong size-1 ${styles.problem}`}>{t(`errors.${warning}`)}</p>}
      {state === "completed" && text !== "" ? <p className="size-2 reading clamp">{text.slice(0, previewLength)}</p> : null}
    </>
  );
}
