import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { SharedLink } from "#contract/index.ts";
import { selectFailure, selectLinks, selectRevocations, selectRevoking } from "#machines/sharing/machine.ts";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import type { Sharing } from "./actor.ts";

interface LinksProps {
  sharing: Sharing;
  /** The ref of the button that has opened a link's form, by its id. */
  opener(id: string): (button: HTMLElement | null) => void;
  onEdit(id: string): void;
}

const explained = ["notFound", "network"];

/** The links that there are, newest first. */
export function Links({ sharing, ...row }: LinksProps) {
  const { t } = useTranslation("sharing");
  const links = useSelector(sharing, selectLinks);
  const revocations = useSelector(sharing, selectRevocations);
  const failure = useSelector(sharing, selectFailure);
  return (
    <>
      {/* It takes the focus when a revocation has removed what had it. */}
      <h3 key={revocations} ref={revocations === 0 ? undefined : claimFocus} tabIndex={-1} className={entries.heading}>
        {t(links.length === 0 ? "none" : "yours")}
      </h3>
      <ul className={entries.entries}>
        {links.map((link) => (
          <Row key={link.id} sharing={sharing} link={link} {...row} />
        ))}
      </ul>
      {failure === null ? null : <Notice tone="danger">{t(`failure.${explained.includes(failure) ? failure : "other"}`)}</Notice>}
    </>
  );
}

/** What a link shows, until when, and how often it was opened. */
function Row({ sharing, link, opener, onEdit }: LinksProps & { link: SharedLink }) {
  const { t, i18n } = useTranslation("sharing");
  const { id, name, expiresAt, createdAt, ended, views } = link;
  const revoking = useSelector(sharing, selectRevoking);
  const made = dateTime(createdAt, i18n.language);
  const shown = ["text", ...(["audio", "translation", "download", "locked"] as const).filter((what) => link[what])];
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className={entries.name}>{name === "" ? t("nameless") : <bdi>{name}</bdi>}</p>
        <p className={entries.fine}>{shown.map((what) => t(`shows.${what}`)).join(" · ")}</p>
        <p className={entries.fine}>
          <span>{t("made", { date: made })}</span>
          <span className={ended ? entries.ended : undefined}>
            {expiresAt === null ? t("untilRevoked") : t(ended ? "ended" : "until", { date: date(expiresAt, i18n.language) })}
          </span>
          <span>{t("views", { count: views })}</span>
        </p>
      </div>
      <div className={entries.actions}>
        <Button ref={opener(id)} icon="edit" aria-label={t("changeWhich", { date: made })} onClick={() => onEdit(id)}>
          {t("change")}
        </Button>
        <Button
          aria-label={t("revokeWhich", { date: made })}
          busy={revoking === id}
          onClick={() => sharing.send({ type: "revocation.requested", id })}
        >
          {t("revoke")}
        </Button>
      </div>
    </li>
  );
}
