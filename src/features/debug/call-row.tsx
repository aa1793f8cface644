import { useTranslation } from "react-i18next";
import type { CallReport } from "#contract/index.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./languages-page.module.css";

/** The only call that is not about languages. */
const healthPath = "/";

interface CallRowProps {
  path: string;
  /** undefined: pending. */
  report: CallReport | undefined;
  isAsked: boolean;
}

/** One call: status, duration, what the product takes from it, and the raw answer. */
export function CallRow({ path, report, isAsked }: CallRowProps) {
  const { t } = useTranslation("inspection");
  const works = report !== undefined && (path === healthPath ? report.isOk : report.accepted !== null);
  const state = report === undefined ? (isAsked ? "asked" : "waiting") : works ? "works" : "fails";
  return (
    <li className={styles.call} data-testid="call" data-state={state}>
      <h2>
        <code>GET {path}</code>
        {path === healthPath ? <span className={styles.soft}>{t("languages.health")}</span> : null}
      </h2>
      <p className={styles.state}>
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
      <p className={styles.facts}>
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
          <pre>{raw}</pre>
        </details>
      )}
    </>
  );
}
