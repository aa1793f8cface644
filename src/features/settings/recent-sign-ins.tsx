import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { type RecentSignIn, signInDays } from "#contract/index.ts";
import { isNotOffered } from "#machines/failure.ts";
import { selectData, selectError, selectIsLoading } from "#machines/query.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import entries from "#src/ui/entries.module.css";
import { useDeviceName } from "./device-name.ts";
import { Card, LoadFailure } from "./part.tsx";
import type { SecurityState } from "./states.ts";

/**
 * The latest sign-ins, including those that have ended, so that the user can spot a stranger's. Renders nothing if the
 * server has no such list.
 */
export function RecentSignIns({ recentSignIns }: Pick<SecurityState, "recentSignIns">) {
  const { t } = useTranslation("settings");
  const known = useSelector(recentSignIns, selectData);
  const loading = useSelector(recentSignIns, selectIsLoading);
  const isMissing = useSelector(recentSignIns, (snapshot) => isNotOffered(selectError(snapshot)));
  if (isMissing) return null;
  return (
    <Card id="recent-sign-ins" title={t("recent.title")} text={t("recent.text", { days: signInDays })}>
      <LoadFailure query={recentSignIns} text={t("signIns.failed")} />
      {known === null && loading ? <p role="status">{t("loading")}</p> : null}
      {known === null ? null : (
        <ul className="stack gap-0">
          {known.map((one) => (
            <Row key={one.id} signIn={one} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ signIn: { at, method, device, current } }: { signIn: RecentSignIn }) {
  const { t, i18n } = useTranslation("settings");
  const name = useDeviceName(device);
  const date = dateTime(at, i18n.language);
  return (
    <li className={entries.entry}>
      <div>
        <strong>{name}</strong> {current ? <Badge tone="good">{t("signIns.current")}</Badge> : null}
        <p className="note">{method === null ? date : t(`recent.${method}`, { date })}</p>
      </div>
    </li>
  );
}
