import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { SharedLink } from "#contract/index.ts";
import { selectDraft, selectIsDoing, selectIsOn, selectUncopied } from "#machines/sharing/machine.ts";
import { draftOf, type Has, type Switch as SwitchName, switches } from "#machines/sharing/rules.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Switch } from "#src/ui/switch.tsx";
import type { Sharing } from "./actor.ts";
import { Details } from "./details.tsx";
import { End, Revoke } from "./link-parts.tsx";
import styles from "./sharing.module.css";

interface LinkProps {
  sharing: Sharing;
  has: Has;
  link: SharedLink;
}

/**
 * The main link. One click copies it, and creates it first if it does not exist. The user can choose its content before
 * and after.
 */
export function MainLink({ link, ...rest }: Omit<LinkProps, "link"> & { link: SharedLink | undefined }) {
  return (
    <div className="stack">
      <Switches {...rest} link={link} />
      {link === undefined ? null : <Facts link={link} />}
      {link?.copyable === false ? <Uncopyable /> : null}
      <div className="row">
        <Copy {...rest} link={link?.copyable ? link : undefined} label={link?.copyable === false ? "copyNew" : "copy"} />
        {link === undefined ? null : <RevokeLink {...rest} link={link} />}
      </div>
      {link === undefined ? null : <Address {...rest} link={link} />}
      {link === undefined ? null : (
        <Details key={link.id} {...rest} link={link}>
          {link.copyable ? <Copy {...rest} link={undefined} label="copyNew" look="quiet" /> : null}
        </Details>
      )}
    </div>
  );
}

/** An older or ended link, collapsed. */
export function OtherLink(props: LinkProps) {
  const { t, i18n } = useTranslation("sharing");
  const { link } = props;
  return (
    <details className={styles.other}>
      <summary>
        {t("linkOf", { date: dateTime(link.createdAt, i18n.language) })}
        <Facts link={link} />
      </summary>
      <div className="stack">
        <Switches {...props} />
        {link.copyable ? null : <Uncopyable />}
        <div className="row">
          {link.copyable && !link.ended ? <Copy {...props} label="copy" look="secondary" /> : null}
          <RevokeLink {...props} />
        </div>
        <Address {...props} />
        <Details {...props} />
      </div>
    </details>
  );
}

/** Chooses what the link shows besides the text, as far as the transcript has it. */
function Switches({ sharing, has, link }: Omit<LinkProps, "link"> & { link: SharedLink | undefined }) {
  const { t } = useTranslation("sharing");
  const draft = draftOf(has, useSelector(sharing, selectDraft));
  const shown = switches.filter((what) => what === "download" || has[what] || link?.[what]);
  return (
    <fieldset className="links">
      <legend className="visuallyHidden">{t("switches.label")}</legend>
      {shown.map((what) =>
        link === undefined ? (
          <Switch
            key={what}
            label={t(`switches.${what}`)}
            isOn={draft[what]}
            onChange={(isOn) => sharing.send({ type: "draft.changed", change: { [what]: isOn } })}
          />
        ) : (
          <LinkSwitch key={what} sharing={sharing} link={link} what={what} />
        ),
      )}
    </fieldset>
  );
}

function LinkSwitch({ sharing, link, what }: Omit<LinkProps, "has"> & { what: SwitchName }) {
  const { t } = useTranslation("sharing");
  const isOn = useSelector(sharing, (snapshot) => selectIsOn(snapshot, link, what));
  return (
    <Switch
      label={t(`switches.${what}`)}
      isOn={isOn}
      onChange={(wanted) => sharing.send({ type: "switch.toggled", id: link.id, change: { [what]: wanted } })}
    />
  );
}

/** How often the link was opened, when it expires, and whether it needs a passphrase. */
function Facts({ link }: Pick<LinkProps, "link">) {
  const { t } = useTranslation("sharing");
  return (
    <span className="facts measure size-1">
      <span>{t("views", { count: link.views })}</span>
      <End link={link} />
      {link.locked ? <span>{t("shows.locked")}</span> : null}
    </span>
  );
}

/** Shown for a link of an earlier release, which can't be copied. */
function Uncopyable() {
  const { t } = useTranslation("sharing");
  return <Notice announce={false}>{t("uncopyable")}</Notice>;
}

interface CopyProps extends Omit<LinkProps, "link"> {
  /** undefined: create a new one. */
  link: SharedLink | undefined;
  label: "copy" | "copyNew";
  look?: "primary" | "secondary" | "quiet";
}

/** Copies an existing or a new link. It is one button, which keeps the focus when the link has been created. */
function Copy({ sharing, has, link, label, look = "primary" }: CopyProps) {
  const { t } = useTranslation("sharing");
  const draft = useSelector(sharing, selectDraft);
  const busy = useSelector(sharing, (snapshot) =>
    link === undefined ? selectIsDoing(snapshot, "create", null) : selectIsDoing(snapshot, "copy", link.id),
  );
  const copy = () => {
    if (link === undefined) sharing.send({ type: "creation.submitted", draft: draftOf(has, draft) });
    else sharing.send({ type: "copy.requested", id: link.id });
  };
  return (
    <Button icon="link" look={look} busy={busy} onClick={copy}>
      {t(label)}
    </Button>
  );
}

function RevokeLink({ sharing, link }: Pick<LinkProps, "sharing" | "link">) {
  const busy = useSelector(sharing, (snapshot) => selectIsDoing(snapshot, "revoke", link.id));
  return (
    <Revoke link={link} look="quiet" busy={busy} onRevoke={() => sharing.send({ type: "removal.requested", id: link.id })} />
  );
}

/** Selects the address, so that one key copies it. */
function select(field: HTMLElement | null) {
  const input = field?.querySelector("input");
  input?.focus();
  input?.select();
}

/** The address, if the browser does not allow copying. */
function Address({ sharing, link }: Pick<LinkProps, "sharing" | "link">) {
  const { t } = useTranslation("sharing");
  const address = useSelector(sharing, (snapshot) => selectUncopied(snapshot, link.id));
  if (address === null) return null;
  return (
    <div ref={select}>
      <TextField label={t("address")} hint={t("notCopied")} value={address} readOnly />
    </div>
  );
}
