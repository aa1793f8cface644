import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectData } from "#machines/query.ts";
import { date } from "#src/i18n/format.ts";
import { openDates } from "./actor.ts";

/** The days on which a transcript loses its audio and moves to the trash. Renders nothing if it is kept forever. */
export function RetentionDates({ id, onLeave }: { id: string; onLeave(left: () => void): void }) {
  const { t, i18n } = useTranslation("retention");
  const dates = useSelector(openDates(id, onLeave), selectData);
  if (dates === null) return null;
  return (
    <>
      {dates.audioAt === null ? null : <span>{t("audioAt", { date: date(dates.audioAt, i18n.language) })}</span>}
      {dates.textAt === null ? null : <span>{t("textAt", { date: date(dates.textAt, i18n.language) })}</span>}
    </>
  );
}
