import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { searchLimits, speechLanguages } from "#contract/index.ts";
import {
  selectBehind,
  selectFailure,
  selectHasMorePages,
  selectHits,
  selectIsFound,
  selectIsLoadingMore,
  selectIsNothing,
  selectIsOpenEnded,
  selectIsPartial,
  selectIsSearching,
  selectTotal,
  selectWanted,
} from "#machines/search/selectors.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { languageName, number, publicDate } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";
import { FilterMenu, SetFilter, SetFilters } from "#src/ui/filters/filters.tsx";
import { Page } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Search, SearchActors } from "./actor.ts";
import { Hits } from "./hits.tsx";
import { Question } from "./question.tsx";
import styles from "./search.module.css";

/** The search in all transcripts. */
export function SearchPage({ search, asking }: SearchActors) {
  const { t } = useTranslation("search");
  const failure = useSelector(search, selectFailure);
  const found = useSelector(search, selectIsFound);
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Form search={search} />
      <State search={search} />
      <Question search={search} asking={asking} />
      <Results search={search} />
      {failure === null ? null : (
        <RetryNotice
          label={t("retry")}
          onRetry={failure !== "notOffered" && (() => search.send({ type: found ? "more.requested" : "search.requested" }))}
        >
          {t(`errors.${failure}`)}
        </RetryNotice>
      )}
    </Page>
  );
}

/** Focuses the search field and selects its text, because the user wants to type. */
function focusField(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
  field?.select();
}

function Form({ search }: { search: Search }) {
  const { t } = useTranslation("search");
  const { query, ...filters } = useSelector(search, selectWanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.send({ type: "search.requested" });
  };
  return (
    <search className={styles.search}>
      <form onSubmit={submit}>
        <TextField
          ref={focusField}
          type="search"
          name="q"
          label={t("label")}
          labelHidden
          placeholder={t("label")}
          maxLength={searchLimits.query}
          autoComplete="off"
          value={query}
          onChange={({ target }) => search.send({ type: "query.changed", query: target.value })}
        />
      </form>
      <FilterMenu label={t("app:history.filter")} count={Object.values(filters).filter((value) => value !== "").length}>
        <FilterFields search={search} />
      </FilterMenu>
    </search>
  );
}

function FilterFields({ search }: { search: Search }) {
  const { t, i18n } = useTranslation("search");
  const { language, from, to } = useSelector(search, selectWanted);
  const known = new Set(speechLanguages.filter((code) => code !== "auto").map(baseLanguage));
  if (language !== "") known.add(language);
  return (
    <>
      <SelectField
        label={t("language")}
        name="language"
        value={language}
        onChange={({ target }) => search.send({ type: "filters.changed", filters: { language: target.value } })}
      >
        <option value="">{t("anyLanguage")}</option>
        <Options of={[...known].map((code) => [code, languageName(code, i18n.language)])} />
      </SelectField>
      <TextField
        type="date"
        name="from"
        label={t("from")}
        value={from}
        max={to === "" ? undefined : to}
        onChange={({ target }) => search.send({ type: "filters.changed", filters: { from: target.value } })}
      />
      <TextField
        type="date"
        name="to"
        label={t("to")}
        value={to}
        min={from === "" ? undefined : from}
        onChange={({ target }) => search.send({ type: "filters.changed", filters: { to: target.value } })}
      />
    </>
  );
}

/** The active filters, each with a button that removes it. */
function Narrowed({ search }: { search: Search }) {
  const { t, i18n } = useTranslation("search");
  const { language, from, to } = useSelector(search, selectWanted);
  const set = [
    { filter: "language", value: language, name: () => languageName(language, i18n.language) },
    { filter: "from", value: from, name: () => `${t("from")} ${publicDate(from, i18n.language)}` },
    { filter: "to", value: to, name: () => `${t("to")} ${publicDate(to, i18n.language)}` },
  ].filter(({ value }) => value !== "");
  return (
    <SetFilters label={t("app:history.set")}>
      {set.map(({ filter, name }) => (
        <SetFilter
          key={filter}
          name={name()}
          label={t("app:history.remove", { name: name() })}
          onRemove={() => search.send({ type: "filters.changed", filters: { [filter]: "" } })}
        />
      ))}
    </SetFilters>
  );
}

/** The state of the search, while it runs and afterwards. */
function State({ search }: { search: Search }) {
  const { t, i18n } = useTranslation("search");
  const searching = useSelector(search, selectIsSearching);
  const found = useSelector(search, selectIsFound);
  const nothing = useSelector(search, selectIsNothing);
  const partial = useSelector(search, selectIsPartial);
  const total = useSelector(search, selectTotal);
  const openEnded = useSelector(search, selectIsOpenEnded);
  const behind = useSelector(search, selectBehind);
  const shownTotal = number(total, i18n.language) + (openEnded ? "+" : "");
  return (
    <div className={`stack gap-2 soft ${styles.state}`}>
      <div className="row gap-3">
        <Narrowed search={search} />
        <p role="status">
          {searching ? t("searching") : null}
          {found ? t("found", { count: total, number: shownTotal }) : null}
          {found && partial ? ` ${t("partial")}` : null}
          {nothing ? t("nothing") : null}
        </p>
      </div>
      {nothing ? <p>{t("nothingHint")}</p> : null}
      {(found || nothing) && behind > 0 ? (
        <p>
          {t("behind", { count: behind })}{" "}
          <Button look="quiet" icon="retry" onClick={() => search.send({ type: "search.requested" })}>
            {t("again")}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

function Results({ search }: { search: Search }) {
  const { t } = useTranslation("search");
  const hits = useSelector(search, selectHits);
  const searching = useSelector(search, selectIsSearching);
  const more = useSelector(search, selectHasMorePages);
  const loadingMore = useSelector(search, selectIsLoadingMore);
  if (hits.length === 0) return null;
  return (
    <>
      <Hits hits={hits} busy={searching} />
      {more ? (
        <div className="row centred">
          <Button busy={loadingMore} onClick={() => search.send({ type: "more.requested" })}>
            {t("more")}
          </Button>
        </div>
      ) : null}
    </>
  );
}
