import { useTranslation } from "react-i18next";
import type { AdminUser } from "#contract/index.ts";
import { Status } from "#src/features/transcriptions/status.tsx";
import { bytes, clock, dateTime, languageName, number } from "#src/i18n/format.ts";
import { ListTable } from "./list-table.tsx";
import table from "./table.module.css";
import own from "./users.module.css";

/** A person's transcriptions: dates and sizes, without any content. */
export function Transcriptions({ transcriptions: { total, latest } }: Pick<AdminUser, "transcriptions">) {
  const { t, i18n } = useTranslation("admin");
  const shown = (value: number) => number(value, i18n.language);
  return (
    <section className={table.block} aria-labelledby="transcriptions">
      <h3 id="transcriptions">{t("transcriptions.title")}</h3>
      <p className={own.soft}>
        {t("transcriptions.private")}{" "}
        {total > latest.length ? t("transcriptions.latest", { shown: shown(latest.length), total: shown(total) }) : null}
      </p>
      {total === 0 ? (
        <p>{t("transcriptions.none")}</p>
      ) : (
        <ListTable
          rows={latest}
          keyOf={({ id }) => id}
          columns={[
            { name: t("transcriptions.date"), cell: ({ date }) => dateTime(date, i18n.language) },
            { name: t("transcriptions.origin"), cell: ({ origin }) => t(`transcriptions.origins.${origin}`) },
            {
              name: t("transcriptions.language"),
              cell: ({ language }) => (language === "auto" ? t("app:languages.auto") : languageName(language, i18n.language)),
            },
            {
              name: t("transcriptions.status"),
              cell: ({ status, error }) => (
                <>
                  <Status status={status} />
                  {error === null ? null : <p className={table.soft}>{t(`errors.${error}`)}</p>}
                </>
              ),
            },
            {
              name: t("transcriptions.duration"),
              look: "number",
              cell: ({ durationSeconds }) => (durationSeconds === null ? "–" : clock(durationSeconds)),
            },
            {
              name: t("transcriptions.size"),
              look: "number",
              cell: ({ size }) => (size === null ? "–" : bytes(size, i18n.language)),
            },
          ]}
        />
      )}
    </section>
  );
}
