import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";
import { buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { addFiles } from "./actor.ts";
import { DropZone } from "./drop-zone.tsx";
import { plainOptions } from "./plain-options.ts";

interface FilesProps {
  languages: LanguageChoiceValue;
  /** The server's limit in bytes. */
  maxBytes: number;
  /** Why files in this language can't be transcribed; undefined when they can. */
  notHere: string | undefined;
  /** Takes the focus when the last file is removed from the list. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** Chooses files. Their list (UploadList) belongs to the page and outlives the route. */
export function Files({ languages, maxBytes, notHere, heading }: FilesProps) {
  const { t } = useTranslation("app");
  return (
    <section className="card pad-wide stack compact" aria-labelledby="files-heading">
      <h2 className="size-4" id="files-heading" ref={heading} tabIndex={-1}>
        {t("uploads.title")}
      </h2>
      {notHere === undefined ? (
        <DropZone maxBytes={maxBytes} onFiles={(files) => addFiles(files, plainOptions(languages), maxBytes)} />
      ) : (
        <Notice announce={false}>{notHere}</Notice>
      )}
      <span className="row">
        <Link className={buttonClass("quiet")} to="/url-transcription-config">
          {t("uploads:url.link")}
        </Link>
        <Link className={buttonClass("quiet")} to="/file-upload-config">
          {t("uploads:list.more")}
        </Link>
      </span>
    </section>
  );
}
