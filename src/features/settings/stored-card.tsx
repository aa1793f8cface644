import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { StorageUse } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import type { Query } from "#src/features/account/query.ts";
import { bytes } from "#src/i18n/format.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Meter } from "#src/ui/progress.tsx";
import { Card } from "./part.tsx";
import styles from "./settings.module.css";

/** From this fraction of the quota on, the card suggests freeing space. */
const nearlyFull = 0.9;

/**
 * Storage used on the server, with links to deletable data. Renders nothing until it is known, or if the server does
 * not report it.
 */
export function StoredCard({ stored }: { stored: Query<StorageUse> }) {
  const { t, i18n } = useTranslation("settings");
  const known = useSelector(stored, selectData);
  if (known === null) return null;
  const { usedBytes, quotaBytes } = known;
  const used = bytes(usedBytes, i18n.language);
  return (
    <Card id="stored" title={t("stored.title")}>
      {quotaBytes === null ? (
        <p>{t("stored.used", { used })}</p>
      ) : (
        <Room used={usedBytes} quota={quotaBytes} text={t("stored.usedOf", { used, quota: bytes(quotaBytes, i18n.language) })} />
      )}
      {quotaBytes !== null && usedBytes >= quotaBytes ? (
        <Notice announce={false} icon="warning">
          {t("stored.full")}
        </Notice>
      ) : null}
      <p className="note">{t("stored.text")}</p>
      <div className="row">
        <Link to="/dashboard" className={buttonClass("secondary")}>
          {t("nav.dashboard")}
        </Link>
        <Link to="/encrypted-audio" className={buttonClass("secondary")}>
          {t("stored.vault")}
        </Link>
        <Link to="/trash" className={buttonClass("secondary")}>
          {t("stored.trash")}
        </Link>
      </div>
    </Card>
  );
}

/** @param used bytes of `quota` @param text the same in words */
function Room({ used, quota, text }: { used: number; quota: number; text: string }) {
  const label = useId();
  const share = quota > 0 ? Math.min(1, used / quota) : 1;
  return (
    <>
      <p id={label}>{text}</p>
      <Meter labelledBy={label} value={share} max={1} near={share >= nearlyFull} className={styles.room} />
    </>
  );
}
