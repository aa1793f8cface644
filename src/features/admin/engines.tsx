import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type AdminMetrics, isOwnError } from "#contract/index.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { ListTable } from "./list-table.tsx";
import table from "./table.module.css";

/** Engines for transcription, translation, speech and text, and what is wrong with those that fail. */
export function Engines({ engines }: Pick<AdminMetrics, "engines">) {
  const { t } = useTranslation("admin");
  return (
    <section className={table.block} aria-labelledby="engines">
      <h3 id="engines">{t("engines.title")}</h3>
      <p>
        <Link to="/admin/models">{t("engines.models")}</Link>
      </p>
      <ListTable columns={[t("engines.name"), t("engines.kind"), t("engines.state")]}>
        {engines.map(({ kind, name, available, wanted, detail }) => (
          <tr key={`${kind} ${name}`}>
            <th scope="row" className={table.whole}>
              {name}
            </th>
            <td data-label={t("engines.kind")}>{t(`engines.kinds.${kind}`)}</td>
            <td data-label={t("engines.state")}>
              <Badge tone={available ? "good" : wanted ? "danger" : undefined}>
                {t(available ? "engines.works" : wanted ? "engines.broken" : "engines.missing")}
              </Badge>
              {detail === null ? null : (
                <p className={table.soft} lang="en">
                  {detail}
                </p>
              )}
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  );
}

/** Reasons for the failed transcriptions of the last seven days. */
export function Failures({ failures }: Pick<AdminMetrics, "failures">) {
  const { t, i18n } = useTranslation("admin");
  if (failures.length === 0) return null;
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <section className={table.block} aria-labelledby="failures">
      <h3 id="failures">{t("failures.title")}</h3>
      <ListTable columns={[t("failures.reason"), { number: t("failures.count") }, t("failures.last")]}>
        {failures.map(({ code, count, lastAt }) => (
          <tr key={code}>
            <th scope="row">
              {t(`errors.${code}`)}
              {isOwnError(code) ? <p className={table.soft}>{t("failures.own")}</p> : null}
            </th>
            <td className={table.number} data-label={t("failures.count")}>
              {number(count)}
            </td>
            <td data-label={t("failures.last")}>{dateTime(lastAt, i18n.language)}</td>
          </tr>
        ))}
      </ListTable>
    </section>
  );
}
