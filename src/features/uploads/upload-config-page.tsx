import { useNavigate, useRouter } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import { selectUploads } from "#machines/uploads/machine.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import type { ShareOutcome } from "#src/service-worker/shared.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { addFiles, openUploads, whenProcessing } from "./actor.ts";
import { Chosen, fingerprint } from "./chosen.tsx";
import { rememberConfig, type UploadConfig, uploadConfig } from "./config.ts";
import { ConfigFields } from "./config-fields.tsx";
import { DropZone } from "./drop-zone.tsx";
import styles from "./files.module.css";
import { dropShared, type SharedFile } from "./shared-files.ts";
import { UploadList } from "./upload-list.tsx";

interface UploadConfigProps {
  engines: EnginesAnswer;
  /** Files that another app has shared, and that were not uploaded yet: they wait until the person confirms. */
  shared: readonly SharedFile[];
  /** What has just become of such files. */
  outcome: ShareOutcome | undefined;
}

/** Files and options before the upload. */
export function UploadConfigPage({ engines, shared, outcome }: UploadConfigProps) {
  const { t } = useTranslation("uploads");
  const [languages, setLanguages] = useState(() => chosenLanguages(engines, { files: true }));
  const [config, setConfig] = useState(uploadConfig);
  const [files, setFiles] = useState<readonly File[]>(() => shared.map(({ file }) => file));
  const [asked, setAsked] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isEmpty = useSelector(openUploads(), selectUploads).length === 0;
  const start = useStart();
  const maxBytes = engines.limits.maxUploadBytes;
  const option = engines.speech.languages.find(({ code }) => code === languages.sourceLanguage);
  const change = (changed: UploadConfig) => {
    setConfig(changed);
    rememberConfig(changed);
  };
  const begin = () => {
    setAsked(true);
    if (files.length === 0) return;
    const title = files.length === 1 ? config.title.trim() : "";
    const speakers = config.speakers && option?.speakers === true;
    const vocabulary = config.vocabulary.trim();
    const speakerCount = engines.speech.diarizes === true ? config.speakerCount : undefined;
    void dropShared(shared);
    start(files, { ...languages, title, vocabulary, speakers, speakerCount }, maxBytes);
    setFiles([]);
    setAsked(false);
    change({ ...config, title: "" });
    heading.current?.focus();
  };
  return (
    <Page title={t("config.title")}>
      <form
        className={styles.config}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        <section className={styles.part} aria-labelledby="config-files">
          <h2 id="config-files">{t("config.files")}</h2>
          <DropZone maxBytes={maxBytes} onFiles={(added) => setFiles(together(files, added))} />
          <SharedNotice outcome={outcome} isThere={shared.length > 0} />
          <Chosen
            files={files}
            onChange={(left) => {
              void dropShared(shared.filter(({ file }) => !left.includes(file)));
              setFiles(left);
            }}
          />
          {asked && files.length === 0 ? (
            <p role="alert" className={styles.problem}>
              {t("config.noFiles")}
            </p>
          ) : null}
        </section>
        <section className={`${styles.part} ${styles.options}`} aria-labelledby="config-options">
          <h2 id="config-options">{t("config.options")}</h2>
          <LanguageChoice
            forFiles
            engines={engines}
            value={languages}
            onChange={(value) => {
              setLanguages(value);
              rememberLanguages(value);
            }}
          />
          <ConfigFields
            config={config}
            option={option}
            count={files.length}
            diarizes={engines.speech.diarizes === true}
            onChange={change}
          />
          <div>
            <Button type="submit" look="primary" icon="upload">
              {files.length === 0 ? t("config.start") : t("config.startCount", { count: files.length })}
            </Button>
          </div>
        </section>
      </form>
      <section className={styles.part} aria-labelledby="config-list">
        <h2 id="config-list" ref={heading} tabIndex={-1} className={isEmpty ? "visuallyHidden" : ""}>
          {t("config.list")}
        </h2>
        <UploadList heading={heading} />
      </section>
    </Page>
  );
}

/** What another app has shared waits here, or why it does not. */
function SharedNotice({ outcome, isThere }: { outcome: ShareOutcome | undefined; isThere: boolean }) {
  const { t } = useTranslation("uploads");
  const isMissed = outcome !== undefined && outcome !== "there";
  if (!isMissed && !isThere) return null;
  return <Notice tone={isMissed ? "warning" : "plain"}>{t(`shared.${isMissed ? outcome : "there"}`)}</Notice>;
}

/** Removes duplicates, and keeps the order. */
function together(files: readonly File[], added: readonly File[]): readonly File[] {
  return [...new Map([...files, ...added].map((file) => [fingerprint(file), file])).values()];
}

/** Starts the uploads. After a single one it navigates to its page, if the person is still here. */
function useStart() {
  const navigate = useNavigate();
  const router = useRouter();
  return async (...batch: Parameters<typeof addFiles>) => {
    const [id, ...others] = addFiles(...batch);
    if (id === undefined || others.length > 0) return;
    const transcriptionId = await whenProcessing(id);
    if (transcriptionId === null || router.state.location.pathname !== "/file-upload-config") return;
    await navigate({ to: "/file-processing/$transcriptionId", params: { transcriptionId } });
  };
}
