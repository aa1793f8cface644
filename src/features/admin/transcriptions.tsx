import { useTranslation } from "react-i18next";
import type { AdminUser } from "#contract/index.ts";
import { Status } from "#src/features/transcriptions/status.tsx";
import { bytes, clock, dateTime, languageName } from "#src/i18n/format.ts";
import { ListTable } from "./list-table.tsx";
import table from "./table.module.css";
import own from "./users.module.css";

/** A person's transcriptions: dates and sizes, without any content. */
export function Transcriptions({ transcriptions: { total, latest } }: Pick<AdminUser, "transcriptions">) {
  const { t, i18n } = useTranslation("admin");
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <section className={table.block} aria-labelledby="transcriptions">
      <h3 id="transcriptions">{t("transcriptions.title")}</h3>
      <p className={own.soft}>
        {t("transcriptions.private")}{" "}
        {total > latest.length ? t("transcriptions.latest", { shown: number(latest.length), total: number(total) }) : null}
      </p>
      {total === 0 ? (
        <p>{t("transcriptions.none")}</p>
      ) : (
        <ListTable
          columns={[
            t("transcriptions.date"),
            t("transcriptions.origin"),
            t("transcriptions.language"),
            t("transcriptions.status"),
            { number: t("transcriptions.duration") },
            { number: t("transcriptions.size") },
          ]}
        >
          {latest.map((one) => (
            <tr key={one.id}>
              <th scope="row">{dateTime(one.date, i18n.language)}</th>
              <td data-label={t("transcriptions.origin")}>{t(`transcriptions.origins.${one.origin}`)}</td>
              <td data-label={t("transcriptions.language")}>
                {one.language === "auto" ? t("app:languages.auto") : languageName(one.language, i18n.language)}
              </td>
              <td data-label={t("transcriptions.status")}>
                <Status status={one.status} />
                {one.error === null ? null : <p className={table.soft}>{t(`errors.${one.error}`)}</p>}
              </td>
              <td data-label={t("transcriptions.duration")} className={table.number}>
                {one.durationSeconds === null ? "–" : clock(one.durationSeconds)}
              </td>
              <td data-label={t("transcriptions.size")} className={table.number}>
                {one.size === null ? "–" : bytes(one.size, i18n.language)}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  );
}
