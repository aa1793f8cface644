import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { selectData, selectHasFailed, selectIsLoading } from "#machines/query.ts";
import { apiBase } from "#src/api/http.ts";
import type { ApiDocument, JsonSchema } from "#src/api/openapi.ts";
import { Page } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { ApiReference } from "./actor.ts";
import styles from "./api.module.css";
import { callsOf, curlOf, type Entry, messagesOf, type Section } from "./sections.ts";
import { TypeText } from "./type-view.tsx";

/** The reference of this server's API, generated from the server's own description. */
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
        <a href={`${apiBase}/openapi.json`} className="anywhere">
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
      <section aria-labelledby="types" className={`stack ${styles.section}`}>
        <h2 id="types">{t("types")}</h2>
        <p className={styles.about}>{t("typesText")}</p>
        {types.map(([name, schema]) => (
          <div key={name} className="stack gap-2">
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
    <section aria-labelledby={anchor} className={`stack ${styles.section}`}>
      <h2 id={anchor}>{t(`tags.${id}`, title)}</h2>
      {entries.map((entry) => (
        <EntryView key={entry.anchor} entry={entry} />
      ))}
    </section>
  );
}

/** One call, collapsed at first. Descriptions without a translation appear in the server's wording. */
function EntryView({ entry }: { entry: Entry }) {
  const { t } = useTranslation("api");
  const { id, method, path, summary, description, parameters, requestBody, responses, scopes } = entry;
  const isMessage = !path.startsWith("/");
  const answers = Object.entries(responses).filter(([status]) => status !== "default");
  return (
    <details className={styles.entry} id={entry.anchor}>
      <summary>
        <code className="anywhere" dir="ltr">
          <b>{method}</b> {path}
        </code>
        <span>{t(`calls.${id}`, { defaultValue: summary, event: path })}</span>
      </summary>
      <div className={`stack gap-4 ${styles.more}`}>
        {description === undefined ? null : <Said text={t(`more.${id}`, description)} />}
        {scopes.map((scope) => (
          <Said key={scope} text={t("scope", { scope })} />
        ))}
        {parameters.length === 0 ? null : <Parameters parameters={parameters} />}
        {requestBody === undefined ? null : <Contents title={t("body")} content={requestBody.content} />}
        {answers.map(([status, { content }]) => (
          <Contents key={status} title={t("answer", { status })} content={content} />
        ))}
        {isMessage ? null : (
          <Part title={t("example")}>
            <pre className={`code ${styles.code}`} dir="ltr">
              {curlOf(entry, apiBase)}
            </pre>
          </Part>
        )}
      </div>
    </details>
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

function Parameters({ parameters }: Pick<Entry, "parameters">) {
  const { t } = useTranslation("api");
  return (
    <Part title={t("parameters")}>
      <dl className={`stack ${styles.parameters}`}>
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <span className="fine">
                {t(`in.${place === "path" || place === "header" ? place : "query"}`)}
                {required ? null : ` · ${t("optional")}`}
              </span>
              <TypeText schema={schema} />
              {description === undefined ? null : <Said text={t(`headers.${name}`, description)} />}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

/** The content of a request or response: its media type, and for JSON its type. */
function Contents({ title, content }: { title: string; content: Record<string, { schema?: JsonSchema | undefined }> }) {
  const { t } = useTranslation("api");
  const kinds = Object.entries(content);
  return (
    <Part title={title}>
      {kinds.length === 0 ? <p className="fine">{t("nothing")}</p> : null}
      {kinds.map(([kind, { schema }]) => (
        <div key={kind} className="stack gap-2">
          <code className="fine">{kind}</code>
          {schema === undefined ? null : <TypeText schema={schema} />}
        </div>
      ))}
    </Part>
  );
}

/** A description. Text between backticks is code. */
function Said({ text }: { text: string }) {
  return <p className={styles.said}>{withCode(text)}</p>;
}

const withCode = (text: string): ReactNode[] =>
  text.split("`").map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : part;
  });
