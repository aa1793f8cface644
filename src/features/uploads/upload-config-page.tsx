import { useSelector } from "@xstate/react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import { selectFiles, selectLacksFiles, selectOptions } from "#machines/uploads/config.ts";
import { selectUploads } from "#machines/uploads/machine.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import type { ShareTargetOutcome } from "#src/service-worker/share-target.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { openUploads } from "./actor.ts";
import { Chosen } from "./chosen.tsx";
import type { UploadConfig } from "./config-actor.ts";
import { ConfigFields } from "./config-fields.tsx";
import { DropZone } from "./drop-zone.tsx";
import styles from "./files.module.css";
import { UploadList } from "./upload-list.tsx";

interface UploadConfigProps {
  config: UploadConfig;
  engines: EnginesAnswer;
  /** Whether another app has shared files that wait until the user confirms the upload. */
  hasShareTargetFiles: boolean;
  /** The result of the last shared files. */
  outcome: ShareTargetOutcome | undefined;
}

/** The page for files and options before the upload. */
export function UploadConfigPage({ config, engines, hasShareTargetFiles, outcome }: UploadConfigProps) {
  const { t } = useTranslation("uploads");
  const { actor, choose } = config;
  const files = useSelector(actor, selectFiles);
  const options = useSelector(actor, selectOptions);
  const lacksFiles = useSelector(actor, selectLacksFiles);
  const heading = useRef<HTMLHeadingElement>(null);
  const isEmpty = useSelector(openUploads(), selectUploads).length === 0;
  return (
    <Page title={t("config.title")}>
      <form
        className="stack gap-6"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          actor.send({ type: "start.requested" });
          if (files.length > 0) heading.current?.focus();
        }}
      >
        <section className="stack gap-4" aria-labelledby="config-files">
          <h2 className="size-4" id="config-files">
            {t("config.files")}
          </h2>
          <DropZone maxBytes={engines.limits.maxUploadBytes} onFiles={choose} />
          <ShareTargetNotice outcome={outcome} isThere={hasShareTargetFiles} />
          <Chosen
            files={files}
            onRemove={(id) => actor.send({ type: "file.removed", id })}
            onTrack={(id, track) => actor.send({ type: "track.chosen", id, track })}
          />
          {lacksFiles ? (
            <p role="alert" className={styles.problem}>
              {t("config.noFiles")}
            </p>
          ) : null}
        </section>
        <section className={`stack gap-4 ${styles.options}`} aria-labelledby="config-options">
          <h2 className="size-4" id="config-options">
            {t("config.options")}
          </h2>
          <LanguageChoice
            forFiles
            engines={engines}
            value={options}
            onChange={({ sourceLanguage, targetLanguage }) =>
              actor.send({ type: "languages.changed", languages: { sourceLanguage, targetLanguage } })
            }
          />
          <ConfigFields
            config={options}
            option={engines.speech.languages.find(({ code }) => code === options.sourceLanguage)}
            count={files.length}
            diarizes={engines.speech.diarizes === true}
            onChange={(details) => actor.send({ type: "details.changed", details })}
          />
          <div>
            <Button type="submit" look="primary" icon="upload">
              {files.length === 0 ? t("config.start") : t("config.startCount", { count: files.length })}
            </Button>
          </div>
        </section>
      </form>
      <section className="stack gap-4" aria-labelledby="config-list">
        <h2 id="config-list" ref={heading} tabIndex={-1} className={isEmpty ? "visuallyHidden" : ""}>
          {t("config.list")}
        </h2>
        <UploadList heading={heading} />
      </section>
    </Page>
  );
}

/** Says that files from another app wait here, or why there are none. */
function ShareTargetNotice({ outcome, isThere }: { outcome: ShareTargetOutcome | undefined; isThere: boolean }) {
  const { t } = useTranslation("uploads");
  const isMissed = outcome !== undefined && outcome !== "there";
  if (!isMissed && !isThere) return null;
  return <Notice tone={isMissed ? "warning" : "plain"}>{t(`shared.${isMissed ? outcome : "there"}`)}</Notice>;
}
