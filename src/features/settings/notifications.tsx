import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectData, selectIsLoading, selectIsOffered } from "#machines/query.ts";
import entries from "#src/ui/entries.module.css";
import { Card, LoadFailure, Outcome } from "./part.tsx";
import { NotOffered, SectionView } from "./section-view.tsx";
import type { NotificationsState } from "./states.ts";

const kinds = ["completed", "failed"] as const;

/** The settings of the emails that inform an absent user. */
export function Notifications({ notices }: NotificationsState) {
  const offered = useSelector(notices.list, selectIsOffered);
  return <SectionView name="notifications">{offered ? <NoticesCard notices={notices} /> : <NotOffered />}</SectionView>;
}

/** Chooses the emails about long-running jobs. */
function NoticesCard({ notices }: NotificationsState) {
  const { t } = useTranslation("settings");
  const known = useSelector(notices.list, selectData);
  const loading = useSelector(notices.list, selectIsLoading);
  return (
    <Card id="notices-mail" title={t("notices.mail")}>
      {known === null && loading ? <p role="status">{t("loading")}</p> : null}
      <LoadFailure query={notices.list} text={t("notices.unknown")} />
      {known === null ? null : (
        <fieldset className={`stack gap-2 ${entries.choices}`}>
          <legend className="visuallyHidden">{t("notices.mail")}</legend>
          {kinds.map((kind) => (
            <label key={kind} className={entries.choice}>
              <input
                type="checkbox"
                checked={known[kind]}
                onChange={({ target }) => notices.choose({ [kind]: target.checked })}
              />
              <span>{t(`notices.${kind}`)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p className="note">{t("notices.hint")}</p>
      {known?.mails === "none" ? <p className="note">{t("notices.noMails")}</p> : null}
      <Outcome part={notices} />
    </Card>
  );
}
