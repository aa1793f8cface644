import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BlogFacets, BlogQuery } from "#contract/index.ts";
import { selectFacets, selectList, selectQuery } from "#machines/blog/list.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { SelectField } from "#src/ui/field.tsx";
import type { BlogListActor } from "./actor.ts";
import { searchOf } from "./address.ts";
import { choicesOf, isFiltered, languageToOffer, withTopic } from "./choices.ts";
import styles from "./filters.module.css";

/** Topics that are shown at first; the others are behind a button. */
const shownTopics = 12;

type Narrow = (change: (query: BlogQuery) => BlogQuery) => void;

/** Choices apply at once; the address follows, so that they can be shared and undone by the browser's history. */
function useNarrow(list: BlogListActor): Narrow {
  const navigate = useNavigate();
  return (change) => {
    const query = change(selectQuery(list.getSnapshot()));
    list.send({ type: "query.changed", query });
    void navigate({ to: "/blog", search: searchOf(query), resetScroll: false });
  };
}

const writers = { everybody: null, people: false, machine: true } as const;
type Writers = keyof typeof writers;
const writersOf = (generated: boolean | null): Writers => (generated === null ? "everybody" : generated ? "machine" : "people");

export function Filters({ list }: { list: BlogListActor }) {
  const { t, i18n } = useTranslation("blog");
  const narrow = useNarrow(list);
  const query = useSelector(list, selectQuery);
  const facets = useSelector(list, selectFacets);
  const posts = useSelector(list, selectList)?.posts ?? [];
  const choices = choicesOf(facets, posts, query);
  const offered = languageToOffer(choices, query, i18n.language);
  // An empty blog has no filters.
  if (choices.languages.length === 0 && !isFiltered(query)) return null;
  const choose = (part: Partial<BlogQuery>) => narrow((before) => ({ ...before, ...part, page: 1 }));
  return (
    <search className={`needsScript ${styles.filters}`} aria-label={t("filters.label")}>
      <TopicChoice choices={choices} query={query} narrow={narrow} />
      <div className={styles.row}>
        <SelectField
          label={t("filters.language")}
          name="language"
          value={query.language}
          onChange={(event) => choose({ language: event.target.value })}
        >
          <option value="">{t("filters.allLanguages")}</option>
          {choices.languages.map(({ language }) => (
            <option key={language} value={language}>
              {languageName(language, i18n.language)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("filters.writers")}
          name="generated"
          value={writersOf(query.generated)}
          onChange={(event) =>
            choose({ generated: event.target.value === "everybody" ? null : event.target.value === "machine" })
          }
        >
          {(["everybody", "people", "machine"] as const satisfies Writers[]).map((writer) => (
            <option key={writer} value={writer}>
              {t(`filters.${writer}`)}
            </option>
          ))}
        </SelectField>
        {offered === undefined ? null : (
          <Button icon="globe" onClick={() => choose({ language: offered })}>
            {t("filters.only", { language: languageName(offered, i18n.language) })}
          </Button>
        )}
      </div>
    </search>
  );
}

function TopicChoice({ choices, query, narrow }: { choices: BlogFacets; query: BlogQuery; narrow: Narrow }) {
  const { t } = useTranslation("blog");
  const { topics } = choices;
  const rest = topics.slice(shownTopics);
  // A shared address may have chosen a hidden topic.
  const [isOpen, setOpen] = useState(rest.some(({ topic }) => query.topics.includes(topic)));
  if (topics.length === 0) return null;
  const chips = (some: BlogFacets["topics"]) => (
    <div className={styles.chips}>
      {some.map(({ topic, count }) => (
        <label key={topic} className={styles.chip}>
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
    </div>
  );
  return (
    <fieldset className={styles.topics}>
      <legend>{t("filters.topics")}</legend>
      {chips(topics.slice(0, shownTopics))}
      {rest.length === 0 ? null : (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t("filters.more", { count: rest.length })}</summary>
          {chips(rest)}
        </details>
      )}
    </fieldset>
  );
}
