import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { memo, type ReactNode, useDeferredValue, useMemo } from "react";
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
import { languageName, number } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";
import { FilterMenu, focusFilters } from "#src/ui/filters/filters.tsx";
import { Icon } from "#src/ui/icon.tsx";
import type { OpenTranscriptions, TranscriptionFilters, Transcriptions } from "./actor.ts";
import styles from "./library.module.css";
import { HistorySetFilters } from "./set-filters.tsx";
import { useFoundOutline } from "./use-found.ts";

const dates = ["all", "today", "week", "month"] as const satisfies readonly FilterValues["dateRange"][];
const statuses = ["all", "completed", "processing", "failed"] as const satisfies readonly FilterValues["status"][];

/** The search, and a button for filters and order (SPEC.md section 4, "Transcriptions"). */
export function Filters({ actor, filters, address }: Pick<OpenTranscriptions, "actor" | "filters" | "address">) {
  const { t } = useTranslation("app");
  const set = [useSelector(filters, selectLanguage), useSelector(filters, selectDateRange), useSelector(filters, selectStatus)];
  return (
    <search className={styles.filters}>
      <SearchField filters={filters} address={address} />
      <FilterMenu label={t("history.filter")} count={set.filter((value) => value !== "all").length}>
        <LanguageFilter transcriptions={actor} filters={filters} />
        <DateFilter filters={filters} />
        <StatusFilter filters={filters} />
        <SortField transcriptions={actor} />
      </FilterMenu>
    </search>
  );
}

function DateFilter({ filters }: { filters: TranscriptionFilters }) {
  const { t } = useTranslation("app");
  return (
    <SelectField
      label={t("history.date")}
      name="dateRange"
      value={useSelector(filters, selectDateRange)}
      onChange={({ target }) =>
        filters.send({ type: "dateRange.changed", dateRange: dates.find((range) => range === target.value) ?? "all" })
      }
    >
      <Options of={dates.map((range) => [range, t(`history.dates.${range}`)])} />
    </SelectField>
  );
}

function StatusFilter({ filters }: { filters: TranscriptionFilters }) {
  const { t } = useTranslation("app");
  return (
    <SelectField
      label={t("history.status")}
      name="status"
      value={useSelector(filters, selectStatus)}
      onChange={({ target }) =>
        filters.send({ type: "status.changed", status: statuses.find((one) => one === target.value) ?? "all" })
      }
    >
      <Options of={statuses.map((one) => [one, one === "all" ? t("history.allStatuses") : t(`status.${one}`)])} />
    </SelectField>
  );
}

function SortField({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  return (
    <SelectField
      label={t("history.sort")}
      name="sort"
      value={useSelector(transcriptions, selectSort)}
      onChange={({ target }) =>
        transcriptions.send({
          type: "order.changed",
          sort: historySorts.find((one) => one === target.value) ?? "newest",
        })
      }
    >
      <Options of={historySorts.map((one) => [one, t(`history.sorts.${one}`)])} />
    </SelectField>
  );
}

/** A separate component, so that a keystroke renders nothing else synchronously. */
function SearchField({ filters, address }: Pick<OpenTranscriptions, "filters" | "address">) {
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
      onBlur={() => address.send({ type: "search.left" })}
    />
  );
}

function LanguageFilter({ transcriptions, filters }: { transcriptions: Transcriptions; filters: TranscriptionFilters }) {
  const items = useSelector(transcriptions, selectListed);
  const language = useSelector(filters, selectLanguage);
  const codes = useMemo(() => languagesOf(items, language).join(" "), [items, language]);
  return <LanguageOptions filters={filters} codes={codes} language={language} />;
}

/** The rows' languages and the chosen one, sorted. Rows whose language is not detected yet add none. */
function languagesOf(items: readonly TranscriptionSummary[], chosen: string): string[] {
  const codes = new Set(items.map(({ sourceLanguage }) => sourceLanguage).filter((code) => code !== "auto"));
  if (chosen !== "all") codes.add(chosen);
  return [...codes].sort();
}

interface LanguageOptionsProps {
  filters: TranscriptionFilters;
  /** Joined by spaces, so that the string is stable while the languages are the same. */
  codes: string;
  language: string;
}

const LanguageOptions = memo(function LanguageOptions({ filters, codes, language }: LanguageOptionsProps) {
  const { t, i18n } = useTranslation("app");
  return (
    <SelectField
      label={t("history.language")}
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

/** All filters, which are cleared together. */
export type Clearable = readonly { send(event: { type: "filters.cleared" }): void }[];

/** The button disappears when no filter is left. Then the search field takes the focus. */
export function ClearFilters({ filters, look }: { filters: Clearable; look: "quiet" | "secondary" }) {
  const { t } = useTranslation("app");
  return (
    <Button
      look={look}
      icon="close"
      onClick={() => {
        focusFilters();
        for (const each of filters) each.send({ type: "filters.cleared" });
      }}
    >
      {t("history.clear")}
    </Button>
  );
}

/**
 * Shown above the list: the number of rows or matches, the active filters, the button that clears them, and running
 * work.
 */
export function Summary({ children, ...open }: OpenTranscriptions & { children: ReactNode }) {
  const { filters, filedFilters } = open;
  const narrowed = useSelector(open.actor, selectIsNarrowed);
  const term = useDeferredValue(useSelector(filters, selectSearchTerm));
  const { total: found } = useFoundOutline(open.found);
  return (
    <>
      <Count {...open} />
      <HistorySetFilters {...open} />
      {narrowed && found > 0 ? <ClearFilters look="quiet" filters={[filters, filedFilters]} /> : null}
      {term.trim() === "" ? null : <EverythingLink term={term} />}
      {children}
    </>
  );
}

/** The total and the number of matches, exact or a minimum. */
function Count({ actor, found: followed }: Pick<OpenTranscriptions, "actor" | "found">) {
  const { t, i18n } = useTranslation("app");
  const loaded = useSelector(actor, selectListed).length;
  const total = useSelector(actor, selectListedTotal);
  const narrowed = useSelector(actor, selectIsNarrowed);
  const isLoadingRest = useSelector(actor, selectIsLoadingRest);
  const { total: found, isMore } = useFoundOutline(followed);
  if (total === 0) return null;
  return (
    <>
      <span role="status">
        {narrowed
          ? t("history.found", { found: number(found, i18n.language) + (isMore ? "+" : ""), total: number(total, i18n.language) })
          : t("history.count", { count: total })}
      </span>
      {isLoadingRest ? (
        <span>{t("history.loadingRest", { loaded: number(loaded, i18n.language), total: number(total, i18n.language) })}</span>
      ) : null}
    </>
  );
}

/** A link to the search in all transcripts. @param term the current search term, which the link takes along */
function EverythingLink({ term }: { term: string }) {
  const { t } = useTranslation("app");
  const q = term.trim();
  return (
    <Link className={buttonClass("quiet")} to="/search" search={q === "" ? {} : { q }}>
      <Icon name="search" />
      {t("history.everything")}
    </Link>
  );
}
