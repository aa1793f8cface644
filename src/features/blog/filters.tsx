import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { BlogFacets, BlogQuery } from "#contract/index.ts";
import { selectFacets, selectList, selectQuery } from "#machines/blog/list.ts";
import { languageName } from "#src/i18n/format.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { ChoiceField } from "#src/ui/field.tsx";
import { FilterMenu, focusFilters, SetFilter, SetFilters } from "#src/ui/filters/filters.tsx";
import { Icon } from "#src/ui/icon.tsx";
import type { BlogListActor } from "./actor.ts";
import { searchOf } from "./address.ts";
import { choicesOf, isFiltered, withTopic } from "./choices.ts";
import styles from "./filters.module.css";

type Narrow = (change: (query: BlogQuery) => BlogQuery) => void;

/**
 * Applies choices at once and mirrors them in the address, so that they can be shared and undone with the browser's
 * history.
 */
function useNarrow(list: BlogListActor): Narrow {
  const navigate = useNavigate();
  return (change) => {
    const query = change(selectQuery(list.getSnapshot()));
    list.send({ type: "query.changed", query });
    void navigate({ to: "/blog", search: searchOf(query), resetScroll: false });
  };
}

const writers = ["everybody", "people", "machine"] as const;
const writersOf = (generated: boolean | null): (typeof writers)[number] =>
  generated === null ? "everybody" : generated ? "machine" : "people";

/** The blog's filters, behind one button. */
export function Filters({ list }: { list: BlogListActor }) {
  const { t, i18n } = useTranslation("blog");
  const narrow = useNarrow(list);
  const query = useSelector(list, selectQuery);
  const facets = useSelector(list, selectFacets);
  const posts = useSelector(list, selectList)?.posts ?? [];
  const choices = choicesOf(facets, posts, query);
  // An empty blog has no filters.
  if (choices.languages.length === 0 && !isFiltered(query)) return null;
  const choose = (part: Partial<BlogQuery>) => narrow((before) => ({ ...before, ...part, page: 1 }));
  const { topics, language, generated } = query;
  const count = topics.length + (language === "" ? 0 : 1) + (generated === null ? 0 : 1);
  return (
    <search className="needsScript push" aria-label={t("filters.label")}>
      <FilterMenu label={t("filters.label")} count={count}>
        <ChoiceField
          label={t("filters.language")}
          name="language"
          value={language}
          values={["", ...choices.languages.map((one) => one.language)]}
          textOf={(one) => (one === "" ? t("filters.allLanguages") : languageName(one, i18n.language))}
          onChoose={(chosen) => choose({ language: chosen })}
        />
        <ChoiceField
          label={t("filters.writers")}
          name="generated"
          value={writersOf(generated)}
          values={writers}
          textOf={(writer) => t(`filters.${writer}`)}
          onChoose={(writer) => choose({ generated: writer === "everybody" ? null : writer === "machine" })}
        />
        <TopicChoice choices={choices} query={query} narrow={narrow} />
      </FilterMenu>
    </search>
  );
}

/** Sorted by name: the counts change with every choice, and the focused topic must not move then. */
function TopicChoice({ choices, query, narrow }: { choices: BlogFacets; query: BlogQuery; narrow: Narrow }) {
  const { t, i18n } = useTranslation("blog");
  if (choices.topics.length === 0) return null;
  const topics = choices.topics.toSorted((one, other) => one.topic.localeCompare(other.topic, i18n.language));
  return (
    <fieldset className={styles.topics}>
      <legend>{t("filters.topics")}</legend>
      {topics.map(({ topic, count }) => (
        <label key={topic} className={styles.topic}>
          <input
            type="checkbox"
            name="topic"
            value={topic}
            checked={query.topics.includes(topic)}
            onChange={() => narrow((before) => withTopic(before, topic))}
          />
          {topic}
          {count > 0 ? <span>{count}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}

/** The active filters, and the link that clears them. */
export function ChosenFilters({ list }: { list: BlogListActor }) {
  const { t, i18n } = useTranslation("blog");
  const narrow = useNarrow(list);
  const query = useSelector(list, selectQuery);
  // An empty list has its own link that clears the filters.
  const isEmpty = useSelector(list, selectList)?.posts.length === 0;
  if (!isFiltered(query)) return null;
  const { topics, language, generated } = query;
  const chip = (name: string, without: (query: BlogQuery) => BlogQuery) => (
    <SetFilter
      key={name}
      name={name}
      label={t("filters.remove", { name })}
      onRemove={() => narrow((before) => without({ ...before, page: 1 }))}
    />
  );
  return (
    <div className={`row ${styles.chosen}`}>
      <SetFilters label={t("filters.set")}>
        {language === "" ? null : chip(languageName(language, i18n.language), (before) => ({ ...before, language: "" }))}
        {generated === null
          ? null
          : chip(`${t("filters.writers")}: ${t(`filters.${writersOf(generated)}`)}`, (before) => ({
              ...before,
              generated: null,
            }))}
        {topics.map((topic) => chip(topic, (before) => withTopic(before, topic)))}
      </SetFilters>
      {isEmpty ? null : <ClearFilters look="quiet" />}
    </div>
  );
}

/** The link that clears the filters. It disappears with them, and then the filters' button takes the focus. */
export function ClearFilters({ look }: { look: "quiet" | "primary" }) {
  const { t } = useTranslation("blog");
  return (
    <Link className={buttonClass(look)} to="/blog" search={{}} resetScroll={false} onClick={focusFilters}>
      <Icon name="close" />
      {t("filters.clear")}
    </Link>
  );
}
