import { useSelector } from "@xstate/react";
import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import {
  selectFilters,
  selectIsLoadingRest,
  selectIsNarrowed,
  selectItems,
  selectSearchTerm,
  selectTotal,
} from "#machines/transcriptions/machine.ts";
import type { Filters as FilterValues } from "#machines/transcriptions/rules.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import type { Transcriptions } from "./actor.ts";
import styles from "./transcriptions.module.css";

const dates = ["all", "today", "week", "month"] as const satisfies readonly FilterValues["dateRange"][];
const statuses = ["all", "completed", "processing", "failed"] as const satisfies readonly FilterValues["status"][];

/** Search and filters (SPEC.md section 4, "Transcriptions"), and the number of results. */
export function Filters({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  const { dateRange, status } = useSelector(transcriptions, selectFilters);
  const narrow = (filters: Partial<FilterValues>) => transcriptions.send({ type: "filters.changed", filters });
  return (
    <search className={styles.filters}>
      <SearchField transcriptions={transcriptions} />
      <LanguageFilter transcriptions={transcriptions} />
      <SelectField
        label={t("history.date")}
        labelHidden
        name="dateRange"
        value={dateRange}
        onChange={(event) => narrow({ dateRange: dates.find((range) => range === event.target.value) ?? "all" })}
      >
        {dates.map((range) => (
          <option key={range} value={range}>
            {t(`history.dates.${range}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("history.status")}
        labelHidden
        name="status"
        value={status}
        onChange={(event) => narrow({ status: statuses.find((one) => one === event.target.value) ?? "all" })}
      >
        {statuses.map((one) => (
          <option key={one} value={one}>
            {one === "all" ? t("history.allStatuses") : t(`status.${one}`)}
          </option>
        ))}
      </SelectField>
    </search>
  );
}

/** A component of its own: a keystroke renders nothing else synchronously. */
function SearchField({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  const term = useSelector(transcriptions, selectSearchTerm);
  return (
    <TextField
      type="search"
      name="search"
      label={t("history.search")}
      labelHidden
      placeholder={t("history.search")}
      autoComplete="off"
      value={term}
      onChange={(event) => transcriptions.send({ type: "search.changed", term: event.target.value })}
    />
  );
}

function LanguageFilter({ transcriptions }: { transcriptions: Transcriptions }) {
  const items = useSelector(transcriptions, selectItems);
  const { language } = useSelector(transcriptions, selectFilters);
  const codes = useMemo(() => languagesOf(items, language).join(" "), [items, language]);
  return <LanguageOptions transcriptions={transcriptions} codes={codes} language={language} />;
}

/** The existing languages, sorted; always includes the selected one. */
function languagesOf(items: readonly TranscriptionSummary[], chosen: string): string[] {
  const codes = new Set(items.map(({ sourceLanguage }) => sourceLanguage));
  if (chosen !== "all") codes.add(chosen);
  return [...codes].sort();
}

interface LanguageOptionsProps {
  transcriptions: Transcriptions;
  /** Joined by spaces: a stable string while they are the same. */
  codes: string;
  language: string;
}

const LanguageOptions = memo(function LanguageOptions({ transcriptions, codes, language }: LanguageOptionsProps) {
  const { t, i18n } = useTranslation("app");
  return (
    <SelectField
      label={t("history.language")}
      labelHidden
      name="language"
      value={language}
      onChange={(event) => transcriptions.send({ type: "filters.changed", filters: { language: event.target.value } })}
    >
      <option value="all">{t("history.allLanguages")}</option>
      {codes.split(" ").map((code) =>
        code === "" ? null : (
          <option key={code} value={code}>
            {code === "auto" ? t("languages.auto") : languageName(code, i18n.language)}
          </option>
        ),
      )}
    </SelectField>
  );
});

/** It disappears when no filter is left: the search field takes the focus. */
export function ClearFilters({ transcriptions, look }: { transcriptions: Transcriptions; look: "quiet" | "secondary" }) {
  const { t } = useTranslation("app");
  return (
    <Button
      look={look}
      icon="close"
      onClick={({ currentTarget }) => {
        currentTarget.closest("main")?.querySelector<HTMLElement>("input[type=search]")?.focus();
        transcriptions.send({ type: "filters.cleared" });
      }}
    >
      {t("history.clear")}
    </Button>
  );
}

/** The total, the number of matches, and the progress of the search. */
export function Count({ transcriptions, found }: { transcriptions: Transcriptions; found: number }) {
  const { t, i18n } = useTranslation("app");
  const loaded = useSelector(transcriptions, selectItems).length;
  const total = useSelector(transcriptions, selectTotal);
  const narrowed = useSelector(transcriptions, selectIsNarrowed);
  const looking = useSelector(transcriptions, selectIsLoadingRest);
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  if (total === 0) return null;
  return (
    <div className={styles.meta}>
      <span role="status">
        {narrowed ? t("history.found", { found: number(found), total: number(total) }) : t("history.count", { count: total })}
      </span>
      {looking ? <span>{t("history.loadingRest", { loaded: number(loaded), total: number(total) })}</span> : null}
      {narrowed && found > 0 ? <ClearFilters look="quiet" transcriptions={transcriptions} /> : null}
    </div>
  );
}
