import { useSelector } from "@xstate/react";
import { type RefObject, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectUploads, type UploadRef } from "#machines/uploads/machine.ts";
import { selectFailure, selectFile, selectState } from "#machines/uploads/selectors.ts";
import { problemKeys } from "#src/features/transcriptions/problem.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { openOverall, openUploads, sentBytes } from "./actor.ts";
import { FileRow } from "./file-row.tsx";
import styles from "./speech-to-text.module.css";

/**
 * All files of this page, with overall and individual progress. @param heading takes the focus when the last one is
 * removed
 */
export function UploadList({ heading }: { heading: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation("app");
  const list = useSelector(openUploads(), selectUploads);
  const shown = useRef(list.length);
  return (
    <>
      <Unfinished />
      <Overall />
      {list.length > 0 ? (
        <ul
          className="stack"
          aria-label={t("uploads.listLabel")}
          data-testid="uploads"
          // A new function with every render, so that React calls it each time, and a file that was just chosen scrolls
          // into view.
          ref={(rows) => {
            if (rows && list.length > shown.current) rows.lastElementChild?.scrollIntoView({ block: "nearest" });
            if (rows) shown.current = list.length;
          }}
        >
          {list.map((upload) => (
            <FileRow
              key={upload.id}
              upload={upload}
              sent={sentBytes(upload.id)}
              onDismiss={(row) => {
                // The focused element disappears, so the next row or the heading takes the focus.
                const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
                (neighbour instanceof HTMLElement ? neighbour : heading.current)?.focus();
                openUploads().send({ type: "dismiss.requested", id: upload.id });
              }}
            />
          ))}
        </ul>
      ) : null}
      <div role="log" className="visuallyHidden">
        {list.map((upload) => (
          <Outcome key={upload.id} upload={upload} />
        ))}
      </div>
    </>
  );
}

function useOverall() {
  const overall = openOverall();
  return useSyncExternalStore(overall.subscribe, overall.get, overall.get);
}

/** Uploads that wait until the user chooses their file again. */
export function Unfinished() {
  const { t } = useTranslation("uploads");
  const { missing } = useOverall();
  return (
    <p role="status" className={missing > 0 ? styles.unfinished : "visuallyHidden"}>
      {missing > 0 ? t("list.unfinished", { count: missing }) : ""}
    </p>
  );
}

/**
 * Overall progress with one button for all uploads. Stays when all have arrived, so that the files below don't move.
 */
function Overall() {
  const { t, i18n } = useTranslation("uploads");
  const { files, arrived, size, sent } = useOverall();
  const { label, ...button } = useForAll();
  if (files < 2) return null;
  const amounts = { loaded: bytes(sent, i18n.language), size: bytes(size, i18n.language) };
  return (
    <div className={`${styles.overall} ${arrived === files ? styles.arrived : ""}`} data-testid="overall">
      <div className={`stack gap-2 ${styles.fileBody}`}>
        <p>{t("list.overall", { count: files, arrived })}</p>
        <Progress label={t("list.overallLabel")} fraction={size === 0 ? 0 : sent / size} />
        <p className="fine digits">{t("app:uploads.uploaded", amounts)}</p>
      </div>
      <Button {...button}>{label}</Button>
    </div>
  );
}

/** The same within an existing line, until all uploads have arrived. */
export function OverallLine() {
  const { t } = useTranslation("uploads");
  const { files, arrived, size, sent } = useOverall();
  const button = useForAll();
  if (files < 2 || arrived === files) return null;
  return (
    <div className={`line gap-3 push ${styles.overallLine}`} data-testid="overall">
      <p>{t("list.overall", { count: files, arrived })}</p>
      <Progress label={t("list.overallLabel")} fraction={size === 0 ? 0 : sent / size} />
      <IconButton {...button} />
    </div>
  );
}

/** The button that pauses or resumes all uploads. */
function useForAll() {
  const { t } = useTranslation("uploads");
  const { files, arrived, paused } = useOverall();
  const toAll = (type: "pause.requested" | "resume.requested") => {
    for (const upload of selectUploads(openUploads().getSnapshot())) upload.send({ type });
  };
  return paused > 0 && paused === files - arrived
    ? ({ icon: "play", label: t("list.resumeAll"), onClick: () => toAll("resume.requested") } as const)
    : ({ icon: "pause", label: t("list.pauseAll"), onClick: () => toAll("pause.requested") } as const);
}

/** A file's outcome, announced once it is known. */
function Outcome({ upload }: { upload: UploadRef }) {
  const { t } = useTranslation("app");
  const file = useSelector(upload, selectFile);
  const state = useSelector(upload, selectState);
  const failure = useSelector(upload, selectFailure);
  if (state !== "completed" && state !== "failed") return null;
  const outcome = failure === null ? t("uploads.state.completed") : t(problemKeys(failure));
  return <p>{t("uploads.announced", { name: file.name, outcome })}</p>;
}
