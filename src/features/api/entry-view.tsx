import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { apiBase } from "#src/api/http.ts";
import type { JsonSchema } from "#src/api/openapi.ts";
import styles from "./api.module.css";
import { curlOf, type Entry } from "./sections.ts";
import { TypeText } from "./type-view.tsx";

/**
 * A call, closed until somebody wants to know more of it. What has no text in the reader's language is as the server
 * says it.
 */
export function EntryView({ entry }: { entry: Entry }) {
  const { t } = useTranslation("api");
  const { id, method, path, summary, description, parameters, requestBody, responses, scopes } = entry;
  const isMessage = !path.startsWith("/");
  const answers = Object.entries(responses).filter(([status]) => status !== "default");
  return (
    <details className={styles.entry} id={entry.anchor}>
      <summary>
        <code className={styles.call} dir="ltr">
          <b>{method}</b> {path}
        </code>
        <span>{t(`calls.${id}`, { defaultValue: summary, event: path })}</span>
      </summary>
      <div className={styles.more}>
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
            <pre className={styles.code} dir="ltr">
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
    <div className={styles.part}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Parameters({ parameters }: Pick<Entry, "parameters">) {
  const { t } = useTranslation("api");
  return (
    <Part title={t("parameters")}>
      <dl className={styles.parameters}>
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <span className={styles.soft}>
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

/** What is sent, or comes: its kind, and of JSON its type. */
function Contents({ title, content }: { title: string; content: Record<string, { schema?: JsonSchema | undefined }> }) {
  const { t } = useTranslation("api");
  const kinds = Object.entries(content);
  return (
    <Part title={title}>
      {kinds.length === 0 ? <p className={styles.soft}>{t("nothing")}</p> : null}
      {kinds.map(([kind, { schema }]) => (
        <div key={kind} className={styles.kind}>
          <code className={styles.soft}>{kind}</code>
          {schema === undefined ? null : <TypeText schema={schema} />}
        </div>
      ))}
    </Part>
  );
}

/** A description: what stands between backticks is code. */
function Said({ text }: { text: string }) {
  return <p className={styles.said}>{withCode(text)}</p>;
}

const withCode = (text: string): ReactNode[] =>
  text.split("`").map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : part;
  });
