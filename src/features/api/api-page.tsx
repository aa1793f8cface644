import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectData, selectHasFailed, selectIsLoading } from "#machines/query.ts";
import { apiBase } from "#src/api/http.ts";
import type { ApiDocument } from "#src/api/openapi.ts";
import { Page } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { ApiReference } from "./actor.ts";
import styles from "./api.module.css";
import { EntryView } from "./entry-view.tsx";
import { callsOf, messagesOf, type Section } from "./sections.ts";
import { TypeText } from "./type-view.tsx";

/** What programs can ask of this server, made from its own description. */
export function ApiPage({ reference }: { reference: ApiReference }) {
  const { t } = useTranslation("api");
  const loading = useSelector(reference, selectIsLoading);
  const failed = useSelector(reference, selectHasFailed);
  const description = useSelector(reference, selectData<ApiDocument>);
  return (
    <Page title={t("title")} lead={t("lead")}>
      <p className={styles.about}>
        {t("token")} <Link to="/settings/developer">{t("settings")}</Link>
      </p>
      <p className={styles.about}>
        {t("document")}{" "}
        <a href={`${apiBase}/openapi.json`} className={styles.address}>
          {`${apiBase}/openapi.json`}
        </a>
      </p>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => reference.send({ type: "retry.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {description === null ? null : <Reference description={description} />}
    </Page>
  );
}

function Reference({ description }: { description: ApiDocument }) {
  const { t } = useTranslation("api");
  const sections = [...callsOf(description), ...messagesOf(description)];
  const types = Object.entries(description.components.schemas);
  return (
    <>
      <nav aria-label={t("contents")} className={styles.contents}>
        <ul>
          {sections.map(({ anchor, id, title }) => (
            <li key={anchor}>
              <Link to="/api" hash={anchor}>
                {t(`tags.${id}`, title)}
              </Link>
            </li>
          ))}
          <li>
            <Link to="/api" hash="types">
              {t("types")}
            </Link>
          </li>
        </ul>
      </nav>
      {sections.map((section) => (
        <SectionView key={section.anchor} section={section} />
      ))}
      <section aria-labelledby="types" className={styles.section}>
        <h2 id="types">{t("types")}</h2>
        <p className={styles.about}>{t("typesText")}</p>
        {types.map(([name, schema]) => (
          <div key={name} className={styles.type}>
            <h3 id={`type-${name}`} lang="en">
              {name}
            </h3>
            <TypeText schema={schema} />
          </div>
        ))}
      </section>
    </>
  );
}

function SectionView({ section: { anchor, id, title, entries } }: { section: Section }) {
  const { t } = useTranslation("api");
  return (
    <section aria-labelledby={anchor} className={styles.section}>
      <h2 id={anchor}>{t(`tags.${id}`, title)}</h2>
      {entries.map((entry) => (
        <EntryView key={entry.anchor} entry={entry} />
      ))}
    </section>
  );
}
