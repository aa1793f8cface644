import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ModelsAnswer } from "#contract/index.ts";
import { type Needs, type Suggestion, stillToInstall, suggestionsFor } from "#machines/engines/models/rules.ts";
import { selectCommands } from "#machines/engines/models/selectors.ts";
import { bytes, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Models } from "./actor.ts";
import { ModelItem } from "./model-item.tsx";
import styles from "./models.module.css";
import { languageList, type Words, wordsOf } from "./words.ts";

interface SuggestionListProps {
  models: Models;
  answer: ModelsAnswer;
  needs: Needs;
}

/** One recommendation for each need, and one button for all of them. */
export function SuggestionList({ models, answer, needs }: SuggestionListProps) {
  const words = wordsOf(useTranslation("models"));
  const { t } = words;
  const { found, missing } = suggestionsFor(answer.models, needs);
  const isEmpty = needs.languages.length === 0 && !needs.uses.includes("speakers");
  const isOnlyEnglish = needs.uses.includes("translating") && needs.languages.every((code) => code === "en");
  if (needs.uses.length === 0) return <p className={styles.soft}>{t("needs.nothing")}</p>;
  if (isEmpty) return <p className={styles.soft}>{t("needs.none")}</p>;
  return (
    <div className={styles.suggestions}>
      {found.map((suggestion) => (
        <SuggestionView key={suggestionKey(suggestion)} models={models} answer={answer} suggestion={suggestion} />
      ))}
      {found.filter(({ use }) => use === "translating").length > 1 ? (
        <p className={styles.soft}>{t("needs.throughEnglish")}</p>
      ) : null}
      {isOnlyEnglish ? <Notice announce={false}>{t("needs.onlyEnglish")}</Notice> : null}
      {missing.map(({ use, languages }) =>
        use === "speakers" ? null : (
          <Notice key={use} announce={false}>
            {t(`needs.missing.${use}`, { languages: languageList(languages, words) })}
          </Notice>
        ),
      )}
      <Everything models={models} found={found} />
    </div>
  );
}

const suggestionKey = ({ use, models }: Suggestion): string => `${use} ${models.map(({ id }) => id).join()}`;

function SuggestionView({ models, answer, suggestion }: Omit<SuggestionListProps, "needs"> & { suggestion: Suggestion }) {
  const words = wordsOf(useTranslation("models"));
  return (
    <section className={styles.suggestion} aria-label={titleOf(suggestion, words)}>
      <p className={styles.purpose}>{titleOf(suggestion, words)}</p>
      {suggestion.models.map((model) => (
        <ModelItem key={model.id} models={models} model={model} machine={answer.machine} place="suggestion" />
      ))}
    </section>
  );
}

function titleOf({ use, languages }: Suggestion, words: Words): string {
  const { t, language } = words;
  if (use === "speakers") return t("suggestion.speakers");
  if (use !== "translating") return t(`suggestion.${use}`, { languages: languageList(languages, words) });
  const [first, second] = languages.map((code) => languageName(code, language));
  return t("suggestion.translating", { languages: t("bothWays", { first, second }) });
}

/** All that is still to be installed with one click, where that is more than one; or that there is nothing left. */
function Everything({ models, found }: { models: Models; found: readonly Suggestion[] }) {
  const { t, language } = wordsOf(useTranslation("models"));
  const isBusy = useSelector(models, (snapshot) => selectCommands(snapshot).length > 0);
  const wanted = stillToInstall(found);
  if (found.length > 0 && found.every((one) => one.models.every(({ installed }) => installed !== null))) {
    return (
      <Notice tone="good" announce={false}>
        {t("suggestion.done")}
      </Notice>
    );
  }
  if (wanted.length < 2) return null;
  const size = wanted.reduce((sum, { downloadBytes }) => sum + (downloadBytes ?? 0), 0);
  return (
    <div className={styles.everything}>
      <Button
        look="primary"
        icon="download"
        busy={isBusy}
        onClick={({ currentTarget }) => {
          currentTarget.closest("section")?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
          for (const { id } of wanted) models.send({ type: "command.requested", command: { action: "install", id } });
        }}
      >
        {t("suggestion.everything")}
      </Button>
      <p className={styles.soft}>{t("suggestion.everythingSize", { count: wanted.length, size: bytes(size, language) })}</p>
    </div>
  );
}
