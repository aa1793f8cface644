import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { Language } from "#contract/index.ts";
import { selectAsked, selectCheckError, selectReports, selectUsed } from "#machines/debug/language-check.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { CallRow } from "./call-row.tsx";
import type { LanguageCheck } from "./language-check-actor.ts";
import styles from "./languages-page.module.css";

/** The health check and the language calls, one by one, with what the product makes of them. */
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
      <ol className={styles.calls}>
        {calls.map((path) => (
          <CallRow key={path} path={path} report={reports.find((report) => report.path === path)} isAsked={path === asked} />
        ))}
      </ol>
      <Offered check={check} />
    </Page>
  );
}

/** The conclusion, in a sentence. */
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

/** The languages that people can currently choose from. */
function Offered({ check }: { check: LanguageCheck }) {
  const { t } = useTranslation("inspection");
  const used = useSelector(check, selectUsed);
  if (used === null) return null;
  const languages: readonly Language[] = used === "builtIn" ? builtInLanguages : (used.accepted?.languages ?? []);
  return (
    <section className={styles.offered} aria-labelledby="offered-title">
      <h2 id="offered-title">{t("languages.offered")}</h2>
      <ul>
        {languages.map(({ code, name, nativeName }) => (
          <li key={code}>
            <code>{code}</code>
            <span>
              <bdi>{nativeName}</bdi>
              <span className={styles.soft}>{name}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
