import { Await, ClientOnly, Link, useHydrated, useLoaderData } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { EngineInfo, EnginesAnswer } from "#contract/index.ts";
import { freeMinutes, prices, trashDays } from "#contract/index.ts";
import { analyticsTag } from "#src/features/analytics/config.ts";
import { Measuring } from "#src/features/analytics/measuring.tsx";
import { money, publicDate } from "#src/i18n/format.ts";
import { claimOwedFocus } from "#src/ui/focus.ts";
import { useHydration } from "#src/ui/hydration.ts";
import styles from "./info.module.css";
import { browserStorage, type InfoName, infoSections, lastChanged, type Section, storedName } from "./sections.ts";

type Engines = Promise<EnginesAnswer | undefined> | undefined;
const notAsked: Promise<EnginesAnswer | undefined> = Promise.resolve(undefined);

const pages = ["terms", "privacy", "about", "contact"] as const;

/** Terms, privacy, about: texts under headings, with a table of contents beside them if there is room. */
export function InfoPage() {
  useHydration();
  const { t, i18n } = useTranslation("landing");
  const info = useLoaderData({ strict: false, select: (data) => (data && "info" in data ? data.info : undefined) });
  if (info === undefined) return null;
  const { name, engines } = info;
  const sections = infoSections[name];
  return (
    <div className={styles.page}>
      <header className={`stack ${styles.header}`}>
        <h1 ref={claimOwedFocus} tabIndex={-1}>
          {t(`titles.${name}`)}
        </h1>
        <p className={`soft size-3 ${styles.lead}`}>{t(`leads.${name}`)}</p>
        <p className="fine" suppressHydrationWarning>
          {t("changed", { date: publicDate(lastChanged, i18n.language) })}
        </p>
      </header>
      <nav className={`card ${styles.contents}`} aria-labelledby="contents">
        <h2 id="contents" className="label">
          {t("contents")}
        </h2>
        <ol>
          {sections.map(({ id }) => (
            <li key={id}>
              <a href={`#${id}`}>{t(`${name}.${id}.title`)}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article className={`stack gap-6 size-2 ${styles.text}`}>
        {sections.map((section) => (
          <SectionText key={section.id} page={name} section={section} engines={engines} />
        ))}
        <nav className={`ruled links measure ${styles.others}`} aria-label={t("others")}>
          {pages
            .filter((page) => page !== name)
            .map((page) => (
              <Link key={page} to={`/${page}`}>
                {t(`titles.${page}`)}
              </Link>
            ))}
        </nav>
      </article>
    </div>
  );
}

function SectionText({ page, section, engines }: { page: InfoName; section: Section; engines: Engines }) {
  const { t } = useTranslation("landing");
  const { id, hasMeasured, extra, hasMore } = section;
  const isMeasured = hasMeasured && analyticsTag() !== undefined;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 className="size-4" id={`${id}-title`}>
        {t(`${page}.${id}.title`)}
      </h2>
      <Text textKey={`${page}.${id}.${isMeasured ? "measured" : "text"}`} />
      {extra === "measuring" ? <Measuring /> : null}
      {extra === "engines" ? <EngineList engines={engines} /> : null}
      {extra === "storage" ? <StorageTable /> : null}
      {hasMore ? <Text textKey={`${page}.${id}.more`} /> : null}
    </section>
  );
}

/**
 * Renders paragraphs, and lines that begin with a dash as a list. The part of such a line before a colon is its term.
 */
function Text({ textKey }: { textKey: string }) {
  const { t, i18n } = useTranslation("landing");
  const values = {
    minutes: freeMinutes,
    trash: trashDays,
    month: money(prices.month, prices.currency, i18n.language),
    year: money(prices.year, prices.currency, i18n.language),
  };
  return blocksOf(t(textKey, values)).map((block) =>
    typeof block === "string" ? (
      <p key={block} suppressHydrationWarning>
        {block}
      </p>
    ) : (
      <ul key={block[0]}>
        {block.map((line) => (
          <li key={line} suppressHydrationWarning>
            <Line text={line} />
          </li>
        ))}
      </ul>
    ),
  );
}

function Line({ text }: { text: string }) {
  const [, subject, rest] = /^([^:.]{1,90}\s?:)\s(.+)$/.exec(text) ?? [];
  if (subject === undefined) return text;
  return (
    <>
      <strong>{subject}</strong> {rest}
    </>
  );
}

function blocksOf(text: string): (string | string[])[] {
  const blocks: (string | string[])[] = [];
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    if (!line.startsWith("– ")) blocks.push(line);
    else if (Array.isArray(last)) last.push(line.slice(2));
    else blocks.push([line.slice(2)]);
  }
  return blocks;
}

/** The engines of this server. */
function EngineList({ engines }: { engines: Engines }) {
  const { t } = useTranslation("landing");
  // As many lines as the answer has on most servers, so that the content below does not move.
  const asking = (
    <dl>
      <dt>{t("engines.speech")}</dt>
      <dd>{t("engines.asking")}</dd>
      <dt>{t("engines.translation")}</dt>
      <dd>{t("engines.asking")}</dd>
    </dl>
  );
  return (
    <div className={`needsScript ${styles.engines}`} role="status">
      <ClientOnly fallback={asking}>
        <Await promise={engines ?? notAsked} fallback={asking}>
          {(answer) =>
            answer === undefined ? (
              <p>{t("engines.failed")}</p>
            ) : (
              <dl>
                <dt>{t("engines.speech")}</dt>
                <Named engines={answer.speech.engines} />
                <dt>{t("engines.translation")}</dt>
                <Named engines={answer.translation.engines} />
              </dl>
            )
          }
        </Await>
      </ClientOnly>
    </div>
  );
}

function Named({ engines }: { engines: readonly EngineInfo[] }) {
  const { t } = useTranslation("landing");
  const working = engines.filter(({ available }) => available);
  if (working.length === 0) return <dd>{t("engines.none")}</dd>;
  return working.map(({ id, name, offline }) => (
    <dd key={id}>
      <strong>{name}</strong> {t(offline ? "engines.here" : "engines.outside")}
    </dd>
  ));
}

function StorageTable() {
  const { t } = useTranslation("landing");
  const isHydrated = useHydrated();
  const nameHere = (name: string) => (isHydrated ? storedName(name, location.protocol) : name);
  return (
    <table className={styles.storage}>
      <thead>
        <tr>
          <th scope="col">{t("storage.name")}</th>
          <th scope="col">{t("storage.purpose")}</th>
        </tr>
      </thead>
      <tbody>
        {browserStorage.map(({ kind, names, key }) => (
          <tr key={key}>
            <td>
              {names.map((name) => (
                <code key={name}>{nameHere(name)}</code>
              ))}
              <span className="fine">{t(`storage.kinds.${kind}`)}</span>
            </td>
            <td>{t(`storage.${key}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
