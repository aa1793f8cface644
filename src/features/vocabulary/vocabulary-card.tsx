import { useSelector } from "@xstate/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { parseVocabulary, vocabularyLimits } from "#contract/index.ts";
import {
  selectIsLoading,
  selectIsOpen,
  selectIsSaved,
  selectIsSaving,
  selectLoadError,
  selectProblem,
  selectSaveError,
  selectText,
} from "#machines/vocabulary/machine.ts";
import { downloadFile } from "#src/browser/download.ts";
import { number } from "#src/i18n/format.ts";
import { AreaField } from "#src/ui/area-field.tsx";
import { Button } from "#src/ui/button.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Vocabulary } from "./actor.ts";
import { csvOf } from "./file.ts";
import styles from "./vocabulary.module.css";

interface VocabularyProps {
  vocabulary: Vocabulary;
}

/** Names, terms, and replacements of recognized words, in one text that is saved automatically. */
export function VocabularyCard({ vocabulary }: VocabularyProps) {
  const { t } = useTranslation("vocabulary");
  const open = useSelector(vocabulary, selectIsOpen);
  const loading = useSelector(vocabulary, selectIsLoading);
  const failed = useSelector(vocabulary, selectLoadError) !== null;
  return (
    <section className="stack" aria-label={t("label")}>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => vocabulary.send({ type: "reload.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {open ? <Text vocabulary={vocabulary} /> : null}
    </section>
  );
}

function Text({ vocabulary }: VocabularyProps) {
  const { t, i18n } = useTranslation("vocabulary");
  const text = useSelector(vocabulary, selectText);
  const { terms, replacements, incomplete } = useMemo(() => parseVocabulary(text), [text]);
  return (
    <>
      <AreaField
        label={t("label")}
        hint={t("hint", { number: number(vocabularyLimits.lines, i18n.language) })}
        name="vocabulary"
        rows={8}
        spellCheck={false}
        value={text}
        placeholder={t("example")}
        onChange={({ target }) => vocabulary.send({ type: "text.changed", text: target.value })}
        onBlur={() => vocabulary.send({ type: "save.requested" })}
      />
      <Problem vocabulary={vocabulary} />
      <p className={`note ${styles.summary}`}>
        {t("summary", { terms: number(terms.length, i18n.language), replacements: number(replacements.length, i18n.language) })}{" "}
        {incomplete > 0 ? t("incomplete", { number: number(incomplete, i18n.language) }) : null}
      </p>
      <State vocabulary={vocabulary} />
      <div className="row">
        <FileButton
          label={t("import")}
          accept=".txt,.csv,.tsv,text/plain,text/csv"
          onFiles={([file]) => {
            if (file !== undefined) vocabulary.send({ type: "file.chosen", file });
          }}
        />
        <Button
          icon="download"
          look="quiet"
          onClick={() => downloadFile(new Blob([text], { type: "text/plain" }), `${t("fileName")}.txt`)}
        >
          {t("exportText")}
        </Button>
        <Button
          icon="download"
          look="quiet"
          // Spreadsheets recognize UTF-8 only by the byte order mark.
          onClick={() => downloadFile(new Blob(["\ufeff", csvOf(text)], { type: "text/csv" }), `${t("fileName")}.csv`)}
        >
          {t("exportCsv")}
        </Button>
      </div>
    </>
  );
}

/** Says which limit is exceeded, and what to do. */
function Problem({ vocabulary }: VocabularyProps) {
  const { t, i18n } = useTranslation("vocabulary");
  const problem = useSelector(vocabulary, selectProblem);
  if (problem === null) return null;
  const values = {
    number: number(problem.count ?? 0, i18n.language),
    max: number(problem.max ?? 0, i18n.language),
    line: number(problem.line ?? 0, i18n.language),
  };
  return <Notice tone="danger">{t(`problem.${problem.kind}`, values)}</Notice>;
}

function State({ vocabulary }: VocabularyProps) {
  const { t } = useTranslation("vocabulary");
  const saving = useSelector(vocabulary, selectIsSaving);
  const saved = useSelector(vocabulary, selectIsSaved);
  const error = useSelector(vocabulary, selectSaveError);
  if (error !== null) {
    return (
      <RetryNotice label={t("retry")} onRetry={() => vocabulary.send({ type: "save.requested" })}>
        <p>{t("unsaved")}</p>
        <p>{t(`errors.${error}`)}</p>
      </RetryNotice>
    );
  }
  return (
    <p role="status" className={`note ${styles.summary}`}>
      {saving ? t("saving") : saved ? t("saved") : ""}
    </p>
  );
}
