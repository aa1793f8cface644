import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { historySorts, type TranscriptionSummary } from "#contract/index.ts";
import { selectDateRange, selectLanguage, selectSearchTerm, selectStatus } from "#machines/transcriptions/filters.ts";
import type { Filters as FilterValues } from "#machines/transcriptions/rules.ts";
import {
  selectIsLoadingRest,
  selectIsNarrowed,
  selectListed,
  selectListedTotal,
  selectSort,
} from "#machines/transcriptions/selectors.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import type { OpenTranscriptions, TranscriptionFilters, Transcriptions } from "./actor.ts";
import { EverythingLink } from "./everything-link.tsx";
import { SharedLink } from "./shared-link.tsx";
import styles from "./transcriptions.module.css";
import { TrashLink } from "./trash-link.tsx";
import { useFoundOutline } from "./use-found.ts";

const dates = ["all", "today", "week", "month"] as const satisfies readonly FilterValues["dateRange"][];
const statuses = ["all", "completed", "processing", "failed"] as const satisfies readonly FilterValues["status"][];

/** Search and filters (SPEC.md section 4, "Transcriptions"), and the number of results. */
export function Filters({ transcriptions, filters }: { transcriptions: Transcriptions; filters: TranscriptionFilters }) {
  const { t } = useTranslation("app");
  const dateRange = useSelector(filters, selectDateRange);
  const status = useSelector(filters, selectStatus);
  return (
    <search className={styles.filters}>
      <SearchField filters={filters} />
      <LanguageFilter transcriptions={transcriptions} filters={filters} />
      <SelectField
        label={t("history.date")}
        labelHidden
        name="dateRange"
        value={dateRange}
        onChange={({ target }) =>
          filters.send({ type: "dateRange.changed", dateRange: dates.find((range) => range === target.value) ?? "all" })
        }
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
        onChange={({ target }) =>
          filters.send({ type: "status.changed", status: statuses.find((one) => one === target.value) ?? "all" })
        }
      >
        {statuses.map((one) => (
          <option key={one} value={one}>
            {one === "all" ? t("history.allStatuses") : t(`status.${one}`)}
          </option>
        ))}
      </SelectField>
      <SortField transcriptions={transcriptions} />
    </search>
  );
}

/** The order: in the address, so that it is there after a reload. */
function SortField({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  const navigate = useNavigate();
  const sort = useSelector(transcriptions, selectSort);
  return (
    <SelectField
      label={t("history.sort")}
      labelHidden
      name="sort"
      value={sort}
      onChange={({ target }) => {
        const chosen = historySorts.find((one) => one === target.value) ?? "newest";
        void navigate({
          to: "/dashboard",
          search: chosen === "newest" ? {} : { sort: chosen },
          replace: true,
          resetScroll: false,
        });
      }}
    >
      {historySorts.map((one) => (
        <option key={one} value={one}>
          {t(`history.sorts.${one}`)}
        </option>
      ))}
    </SelectField>
  );
}

/** A component of its own: a keystroke renders nothing else synchronously. */
function SearchField({ filters }: { filters: TranscriptionFilters }) {
  const { t } = useTranslation("app");
  const term = useSelector(filters, selectSearchTerm);
  return (
    <TextField
      type="search"
      name="search"
      label={t("history.search")}
      labelHidden
      placeholder={t("history.search")}
      autoComplete="off"
      value={term}
      onChange={(event) => filters.send({ type: "search.changed", term: event.target.value })}
    />
  );
}

function LanguageFilter({ transcriptions, filters }: { transcriptions: Transcriptions; filters: TranscriptionFilters }) {
  const items = useSelector(transcriptions, selectListed);
  const language = useSelector(filters, selectLanguage);
  const codes = useMemo(() => languagesOf(items, language).join(" "), [items, language]);
  return <LanguageOptions filters={filters} codes={codes} language={language} />;
}

/** The existing languages, sorted; always includes the selected one. One that is still to be detected is none to look for. */
function languagesOf(items: readonly TranscriptionSummary[], chosen: string): string[] {
  const codes = new Set(items.map(({ sourceLanguage }) => sourceLanguage).filter((code) => code !== "auto"));
  if (chosen !== "all") codes.add(chosen);
  return [...codes].sort();
}

interface LanguageOptionsProps {
  filters: TranscriptionFilters;
  /** Joined by spaces: a stable string while they are the same. */
  codes: string;
  language: string;
}

const LanguageOptions = memo(function LanguageOptions({ filters, codes, language }: LanguageOptionsProps) {
  const { t, i18n } = useTranslation("app");
  return (
    <SelectField
      label={t("history.language")}
      labelHidden
      name="language"
      value={language}
      onChange={(event) => filters.send({ type: "language.changed", language: event.target.value })}
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

/** All filters: they are cleared together. */
export type Clearable = readonly { send(event: { type: "filters.cleared" }): void }[];

/** It disappears when no filter is left: the search field takes the focus. */
export function ClearFilters({ filters, look }: { filters: Clearable; look: "quiet" | "secondary" }) {
  const { t } = useTranslation("app");
  return (
    <Button
      look={look}
      icon="close"
      onClick={({ currentTarget }) => {
        currentTarget.closest("main")?.querySelector<HTMLElement>("input[type=search]")?.focus();
        for (const each of filters) each.send({ type: "filters.cleared" });
      }}
    >
      {t("history.clear")}
    </Button>
  );
}

interface CountProps {
  transcriptions: Transcriptions;
  filters: Clearable;
  followed: OpenTranscriptions["found"];
  /** What is looked for. */
  term: string;
}

/** The total, and the number of matches: so many, or so many and more. */
export function Count({ transcriptions, filters, followed, term }: CountProps) {
  const { t, i18n } = useTranslation("app");
  const loaded = useSelector(transcriptions, selectListed).length;
  const total = useSelector(transcriptions, selectListedTotal);
  const narrowed = useSelector(transcriptions, selectIsNarrowed);
  const isLoadingRest = useSelector(transcriptions, selectIsLoadingRest);
  const { total: found, isMore } = useFoundOutline(followed);
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  if (total === 0) return null;
  return (
    <div className={styles.meta}>
      <span role="status">
        {narrowed
          ? t("history.found", { found: number(found) + (isMore ? "+" : ""), total: number(total) })
          : t("history.count", { count: total })}
      </span>
      {isLoadingRest ? <span>{t("history.loadingRest", { loaded: number(loaded), total: number(total) })}</span> : null}
      {narrowed && found > 0 ? <ClearFilters look="quiet" filters={filters} /> : null}
      <span className={styles.toTrash}>
        <EverythingLink term={term} />
        <SharedLink />
        <TrashLink />
      </span>
    </div>
  );
}
