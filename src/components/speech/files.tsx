import { useSelector } from "@xstate/react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { selectFailure, selectFile, selectState } from "../../../machines/upload.ts";
import { selectUploads, type UploadRef } from "../../../machines/uploads.ts";
import { addFiles, sentBytes, uploads } from "../../app/uploads.ts";
import { DropZone } from "./drop-zone.tsx";
import { FileRow } from "./file-row.tsx";
import type { LanguageChoiceValue } from "./language-choice.tsx";
import styles from "./speech.module.css";
import { problemKeys } from "./upload-problem.ts";

interface FilesProps {
  languages: LanguageChoiceValue;
  /** The largest file that the server takes. */
  maxBytes: number;
}

/** Where files are given to the page, and how far each one is. The list outlives the route: it is the page's. */
export function Files({ languages, maxBytes }: FilesProps) {
  const { t } = useTranslation("app");
  const list = useSelector(uploads, selectUploads);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={styles.files} aria-labelledby="files-heading">
      <h2 id="files-heading" ref={heading} tabIndex={-1}>
        {t("uploads.title")}
      </h2>
      <DropZone maxBytes={maxBytes} onFiles={(files) => addFiles(files, languages, maxBytes)} />
      {list.length > 0 ? (
        <ul className={styles.uploads} aria-label={t("uploads.listLabel")} data-testid="uploads">
          {list.map((upload) => (
            <FileRow
              key={upload.id}
              upload={upload}
              sent={sentBytes(upload.id)}
              onDismiss={(row) => {
                // What had the focus goes: the row beside it, or the heading, takes it over.
                const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
                (neighbour instanceof HTMLElement ? neighbour : heading.current)?.focus();
                uploads.send({ type: "dismiss.requested", id: upload.id });
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
    </section>
  );
}

/** What became of a file, read out once it is known. */
function Outcome({ upload }: { upload: UploadRef }) {
  const { t } = useTranslation("app");
  const file = useSelector(upload, selectFile);
  const state = useSelector(upload, selectState);
  const failure = useSelector(upload, selectFailure);
  if (state !== "completed" && state !== "failed") return null;
  const news = failure === null ? t("uploads.state.completed") : t(problemKeys(failure));
  return <p>{t("uploads.announced", { name: file.name, news })}</p>;
}
