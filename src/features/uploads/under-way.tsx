import { useSelector } from "@xstate/react";
import { useDeferredValue, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectItems } from "#machines/transcriptions/selectors.ts";
import type { Transcriptions } from "#src/features/transcriptions/actor.ts";
import { focusHeading } from "#src/ui/focus.ts";
import { openInHistory, openUploads, sentBytes, transcriptionIdOf } from "./actor.ts";
import { FileRow } from "./file-row.tsx";
import { withoutListed } from "./in-history.ts";
import styles from "./under-way.module.css";
import { Unfinished } from "./upload-list.tsx";

/** Files on their way to the server, above the transcripts: each gives way to its own when its last byte has arrived. */
export function UnderWay({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  const inHistory = openInHistory();
  // As late as the list's rows are (use-found.ts): a file is never there twice, and never gone for a moment.
  const { underWay } = useDeferredValue(useSyncExternalStore(inHistory.subscribe, inHistory.get, inHistory.get));
  const rows = useDeferredValue(useSelector(transcriptions, selectItems));
  const files = withoutListed(underWay, rows, transcriptionIdOf);
  const shown = useRef(files.length);
  if (files.length === 0) return null;
  return (
    <div className="stack">
      <Unfinished />
      <ul
        className={styles.files}
        aria-label={t("uploads.listLabel")}
        data-testid="uploads"
        // A new function with every render, so that React calls it after each: a file that was just dropped is seen.
        ref={(list) => {
          if (list && files.length > shown.current) list.firstElementChild?.scrollIntoView({ block: "nearest" });
          if (list) shown.current = files.length;
        }}
      >
        {files.map((upload) => (
          <FileRow
            key={upload.id}
            look="row"
            upload={upload}
            sent={sentBytes(upload.id)}
            onDismiss={(row) => {
              const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
              if (neighbour instanceof HTMLElement) neighbour.focus();
              else focusHeading();
              openUploads().send({ type: "dismiss.requested", id: upload.id });
            }}
          />
        ))}
      </ul>
    </div>
  );
}
