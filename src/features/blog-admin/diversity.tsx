import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DiversityStats, Suggestion } from "#contract/index.ts";
import {
  selectHasStatsFailed,
  selectIsBusy,
  selectIsLoadingStats,
  selectStats,
} from "#machines/blog-admin/generator/selectors.ts";
import { date, languageName, number, percent } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import { FactList } from "#src/ui/fact-list.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import styles from "./generator.module.css";
import type { Generator } from "./generator-actor.ts";

interface DiversityProps {
  generator: Generator;
}

/** How varied the blog's posts are, with recommendations. */
export function Diversity({ generator }: DiversityProps) {
  const { t } = useTranslation("blog-admin-generator");
  const stats = useSelector(generator, selectStats);
  const failed = useSelector(generator, selectHasStatsFailed);
  const loading = useSelector(generator, selectIsLoadingStats);
  return (
    <section className="card pad-5 stack gap-4" aria-labelledby="generator-diversity" aria-busy={loading}>
      <h2 id="generator-diversity">{t("diversity.title")}</h2>
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => generator.send({ type: "stats.requested" })}>
          {t("failed.stats")}
        </RetryNotice>
      ) : null}
      {stats === null ? (
        loading ? (
          <p role="status">{t("diversity.loading")}</p>
        ) : null
      ) : (
        <Stats stats={stats} generator={generator} />
      )}
    </section>
  );
}

type StatsProps = DiversityProps & { stats: DiversityStats };

function Stats({ stats, generator }: StatsProps) {
  const { t } = useTranslation("blog-admin-generator");
  return (
    <>
      <p className="note">{stats.posts === 0 ? t("diversity.none") : t("diversity.about")}</p>
      {stats.model === null ? null : <p className="note">{t("diversity.model", { model: stats.model })}</p>}
      <Suggestions stats={stats} generator={generator} />
      {stats.posts === 0 ? null : (
        <>
          <Figures stats={stats} />
          <Topics stats={stats} />
          <Languages stats={stats} />
          <Similar stats={stats} />
          <Neglected stats={stats} generator={generator} />
        </>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={`stack gap-2 ${styles.part}`}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Suggestions({ stats: { suggestions } }: StatsProps) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  if (suggestions.length === 0) return null;
  const locale = i18n.language;
  const textOf = (suggestion: Suggestion): string => {
    switch (suggestion.kind) {
      case "neglected": {
        const time = new Intl.RelativeTimeFormat(locale).format(-suggestion.days, "day");
        return t("suggestions.neglected", { topic: suggestion.topic, time });
      }
      case "dominant":
        return t("suggestions.dominant", { topic: suggestion.topic, share: percent(suggestion.share, locale) });
      case "untagged":
        return t("suggestions.untagged", { posts: number(suggestion.count, locale) });
      case "oneLanguage":
        return t("suggestions.oneLanguage", { language: languageName(suggestion.language, locale) });
      case "mostlyGenerated":
        return t("suggestions.mostlyGenerated", { share: percent(suggestion.share, locale) });
      default:
        return t(`suggestions.${suggestion.kind}`);
    }
  };
  return (
    <Part title={t("diversity.suggestions")}>
      <ul className={`stack gap-2 size-1 ${styles.suggestions}`}>
        {suggestions.map((suggestion) => (
          <li key={suggestion.kind}>{textOf(suggestion)}</li>
        ))}
      </ul>
    </Part>
  );
}

function Figures({ stats }: { stats: DiversityStats }) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  const { evenness } = stats;
  const names = ["posts", "published", "generated", "manual"] as const;
  return (
    <>
      <FactList
        className={styles.figures}
        facts={names.map((name) => ({ name: t(`diversity.${name}`), value: number(stats[name], i18n.language) }))}
      />
      {evenness === null ? null : (
        <Part title={t("diversity.evenness")}>
          <p className="size-3 reading">{percent(evenness, i18n.language)}</p>
          <p className="note">{t("diversity.evennessHint")}</p>
        </Part>
      )}
    </>
  );
}

interface Row {
  name: string;
  count: number;
  /** From 0 to 1. */
  share: number;
}

/** A table that also draws its shares as bars. */
function Bars({ rows, caption, column }: { rows: readonly Row[]; caption: string; column: string }) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  return (
    <table className={`size-1 ${styles.bars}`}>
      <caption className="visuallyHidden">{caption}</caption>
      <thead className="visuallyHidden">
        <tr>
          <th scope="col">{column}</th>
          <th scope="col">{t("diversity.posts")}</th>
          <th scope="col">{t("diversity.share")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, count, share }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={styles.count}>{number(count, i18n.language)}</td>
            <td className={styles.share}>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ transform: `scaleX(${Math.min(1, share)})` }} />
              </span>
              <span>{percent(share, i18n.language)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Topics({ stats: { topics, topicsTotal } }: { stats: DiversityStats }) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  if (topics.length === 0) return null;
  return (
    <Part title={t("diversity.topics")}>
      <Bars
        rows={topics.map(({ topic, count, share }) => ({ name: topic, count, share }))}
        caption={t("diversity.topics")}
        column={t("diversity.topic")}
      />
      {topicsTotal > topics.length ? (
        <p className="note">
          {t("diversity.topicsShown", { shown: number(topics.length, i18n.language), total: number(topicsTotal, i18n.language) })}
        </p>
      ) : null}
    </Part>
  );
}

function Languages({ stats: { languages, posts } }: { stats: DiversityStats }) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  const rows = languages.map(({ language, count }) => ({
    name: languageName(language, i18n.language),
    count,
    share: count / Math.max(posts, 1),
  }));
  return (
    <Part title={t("diversity.languages")}>
      <Bars rows={rows} caption={t("diversity.languages")} column={t("diversity.language")} />
    </Part>
  );
}

function Similar({ stats: { similar, comparedTitles } }: { stats: DiversityStats }) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  if (similar === null) return null;
  const share = percent(similar.similarity, i18n.language);
  return (
    <Part title={t("diversity.similar")}>
      <ul className="stack gap-2 size-1 reading anywhere">
        {[similar.first, similar.second].map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <p className="note">{t("diversity.similarity", { share, compared: number(comparedTitles, i18n.language) })}</p>
    </Part>
  );
}

function Neglected({ stats: { neglected }, generator }: StatsProps) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  const busy = useSelector(generator, selectIsBusy);
  if (neglected.length === 0) return null;
  return (
    <Part title={t("diversity.neglected")}>
      <table className={`size-1 ${styles.bars}`}>
        <caption className="visuallyHidden">{t("diversity.neglected")}</caption>
        <thead className="visuallyHidden">
          <tr>
            <th scope="col">{t("diversity.topic")}</th>
            <th scope="col">{t("diversity.lastAt")}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {neglected.map(({ topic, lastAt }) => (
            <tr key={topic}>
              <th scope="row">{topic}</th>
              <td className={styles.day}>{date(lastAt, i18n.language)}</td>
              <td className={styles.use}>
                <IconButton
                  icon="edit"
                  label={t("diversity.use", { topic })}
                  disabled={busy}
                  onClick={() => generator.send({ type: "form.changed", change: { topic } })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}
