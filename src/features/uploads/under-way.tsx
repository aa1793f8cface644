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

/** Running uploads, above the transcripts. When an upload's last byte has arrived, the transcript's row replaces it. */
export function UnderWay({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  const inHistory = openInHistory();
  // Deferred like the list's rows (use-found.ts), so that a file never appears twice, and never disappears for a
  // moment.
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
        // A new function with every render, so that React calls it each time, and a file that was just dropped scrolls
        // into view.
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
