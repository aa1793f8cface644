import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { CallReport, Language } from "#contract/index.ts";
import { selectAsked, selectCheckError, selectReports, selectUsed } from "#machines/debug/language-check.ts";
import { Button } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import type { LanguageCheck } from "./language-check-actor.ts";
import styles from "./languages-page.module.css";

/**
 * Shows the result of the health check and of each language call, and the languages that the product derives from them.
 */
export function LanguagesPage({ check }: { check: LanguageCheck }) {
  const { t } = useTranslation("inspection");
  const calls = useSelector(check, (snapshot) => snapshot.context.calls);
  const reports = useSelector(check, selectReports);
  const asked = useSelector(check, selectAsked);
  return (
    <Page
      title={t("titles.languageTester")}
      lead={t("languages.lead")}
      actions={
        <Button icon="retry" onClick={() => check.send({ type: "run.requested" })}>
          {t("languages.again")}
        </Button>
      }
    >
      <Verdict check={check} />
      <ol className="stack">
        {calls.map((path) => (
          <CallRow key={path} path={path} report={reports.find((report) => report.path === path)} isAsked={path === asked} />
        ))}
      </ol>
      <Offered check={check} />
    </Page>
  );
}

/** The conclusion in one sentence. */
function Verdict({ check }: { check: LanguageCheck }) {
  const { t } = useTranslation("inspection");
  const asked = useSelector(check, selectAsked);
  const error = useSelector(check, selectCheckError);
  const used = useSelector(check, selectUsed);
  if (error !== null) return <Notice tone="danger">{t(`errors.${error}`)}</Notice>;
  if (asked !== null || used === null) return <Notice>{t("languages.asking", { call: `GET ${asked ?? ""}` })}</Notice>;
  if (used === "builtIn") {
    return (
      <Notice tone="plain" icon="warning">
        {t("languages.usesBuiltIn", { count: builtInLanguages.length })}
      </Notice>
    );
  }
  const count = used.accepted?.languages.length ?? 0;
  return <Notice tone="good">{t("languages.usesCall", { call: `GET ${used.path}`, count })}</Notice>;
}

/** The languages that users can currently choose from. */
function Offered({ check }: { check: LanguageCheck }) {
  const { t } = useTranslation("inspection");
  const used = useSelector(check, selectUsed);
  if (used === null) return null;
  const languages: readonly Language[] = used === "builtIn" ? builtInLanguages : (used.accepted?.languages ?? []);
  return (
    <section className={`stack gap-4 ${styles.offered}`} aria-labelledby="offered-title">
      <h2 className="size-4" id="offered-title">
        {t("languages.offered")}
      </h2>
      <ul>
        {languages.map(({ code, name, nativeName }) => (
          <li key={code}>
            <code>{code}</code>
            <span>
              <bdi>{nativeName}</bdi>
              <span className={`fine ${styles.soft}`}>{name}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The only call that is not about languages. */
const healthPath = "/";

interface CallRowProps {
  path: string;
  /** undefined: pending. */
  report: CallReport | undefined;
  isAsked: boolean;
}

/** One call: its status, duration, the languages that the product takes from it, and the raw answer. */
function CallRow({ path, report, isAsked }: CallRowProps) {
  const { t } = useTranslation("inspection");
  const works = report !== undefined && (path === healthPath ? report.isOk : report.accepted !== null);
  const state = report === undefined ? (isAsked ? "asked" : "waiting") : works ? "works" : "fails";
  return (
    <li className={styles.call} data-testid="call" data-state={state}>
      <h2>
        <code>GET {path}</code>
        {path === healthPath ? <span className={`fine ${styles.soft}`}>{t("languages.health")}</span> : null}
      </h2>
      <p className={`line note ${styles.state}`}>
        {report === undefined ? null : <Icon name={works ? "check" : "warning"} />}
        {t(`languages.${state}`)}
      </p>
      {report === undefined ? null : <Answer report={report} isHealth={path === healthPath} />}
    </li>
  );
}

function Answer({ report, isHealth }: { report: CallReport; isHealth: boolean }) {
  const { t } = useTranslation("inspection");
  const { status, took, raw, isOk, accepted } = report;
  const shape = accepted?.shape === "array" ? t("languages.array") : t("languages.list", { field: accepted?.shape });
  return (
    <>
      <p className="facts wide size-1">
        <span>{status === 0 ? t("languages.noAnswer") : t("languages.status", { status })}</span>
        <span>{t("languages.took", { ms: Math.round(took) })}</span>
        {accepted ? <span>{t("languages.accepted", { count: accepted.languages.length, shape })}</span> : null}
        {accepted && accepted.leftOut > 0 ? <span>{t("languages.leftOut", { count: accepted.leftOut })}</span> : null}
        {isOk && !isHealth && accepted === null ? <span>{t("languages.noLanguages")}</span> : null}
        {status === 0 ? <span>{t("errors.network")}</span> : null}
      </p>
      {raw === "" ? null : (
        <details className={styles.raw}>
          <summary>{t("languages.raw")}</summary>
          <pre className="code">{raw}</pre>
        </details>
      )}
    </>
  );
}
