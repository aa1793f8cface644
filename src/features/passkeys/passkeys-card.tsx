import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Passkey } from "#contract/index.ts";
import {
  selectFailure,
  selectIsAdding,
  selectIsLoading,
  selectIsOpen,
  selectLoadError,
  selectPasskeys,
  selectRemovals,
  selectWish,
} from "#machines/passkeys/machine.ts";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { PasskeysActor } from "./actor.ts";
import { AddPasskey, ChangePasskey } from "./passkey-forms.tsx";

interface PasskeysProps {
  passkeys: PasskeysActor;
  /** Confirms who somebody is that has no password. */
  confirmation: ReactNode;
}

/** Whether this browser can make a passkey, on this connection. */
const isPossible = () => "PublicKeyCredential" in globalThis;

/** Signing in with finger, face or PIN of a device: listed, added, renamed, removed. */
export function PasskeysCard({ passkeys, confirmation }: PasskeysProps) {
  const { t } = useTranslation("passkeys");
  const loading = useSelector(passkeys, selectIsLoading);
  const failed = useSelector(passkeys, selectLoadError) !== null;
  const isOpen = useSelector(passkeys, selectIsOpen);
  const adding = useSelector(passkeys, selectIsAdding);
  const { begin, opener } = useEditingInPlace();
  const open = () => {
    begin();
    passkeys.send({ type: "new.requested" });
  };
  return (
    <>
      <p className={entries.fine}>{t("text")}</p>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => passkeys.send({ type: "reload.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {isOpen ? <List passkeys={passkeys} confirmation={confirmation} /> : null}
      {adding ? <AddPasskey passkeys={passkeys} confirmation={confirmation} /> : null}
      {isOpen && !adding && isPossible() ? (
        <div className={entries.actions}>
          <Button ref={opener} icon="plus" onClick={open}>
            {t("add.begin")}
          </Button>
        </div>
      ) : null}
      {isPossible() ? null : <Notice announce={false}>{t("impossible")}</Notice>}
    </>
  );
}

const shownWhileListed = ["notFound", "network"];

function List({ passkeys, confirmation }: PasskeysProps) {
  const { t } = useTranslation("passkeys");
  const known = useSelector(passkeys, selectPasskeys);
  const removals = useSelector(passkeys, selectRemovals);
  const adding = useSelector(passkeys, selectIsAdding);
  const wish = useSelector(passkeys, selectWish);
  const failure = useSelector(passkeys, selectFailure);
  return (
    <>
      {/* It takes the focus when a removal has taken away what had it. */}
      <h3 key={removals} ref={removals === 0 ? undefined : claimFocus} tabIndex={-1} className={entries.heading}>
        {known.length === 0 ? t("none") : t("yours")}
      </h3>
      <ul className={entries.entries}>
        {known.map((passkey) => (
          <Row key={passkey.id} passkeys={passkeys} passkey={passkey} confirmation={confirmation} />
        ))}
      </ul>
      {failure === null || adding || wish !== null ? null : (
        <Notice tone="danger">{t(`failure.${shownWhileListed.includes(failure) ? failure : "other"}`)}</Notice>
      )}
    </>
  );
}

/** What it is called, since when it is there, and when it was last used; or the form that changes it. */
function Row({ passkeys, passkey, confirmation }: PasskeysProps & { passkey: Passkey }) {
  const { t, i18n } = useTranslation("passkeys");
  const { id, name, createdAt, lastUsedAt, synced } = passkey;
  const wish = useSelector(passkeys, (snapshot) => {
    const asked = selectWish(snapshot);
    return asked?.id === id ? asked.wish : null;
  });
  const renaming = useEditingInPlace();
  const removing = useEditingInPlace();
  const change = (what: "rename" | "remove") => () => {
    (what === "rename" ? renaming : removing).begin();
    passkeys.send({ type: "change.requested", wish: what, id });
  };
  return (
    <li className={entries.entry}>
      {wish === null ? (
        <>
          <div className={entries.about}>
            <p className={entries.name}>
              <bdi>{name}</bdi>
            </p>
            <p className={entries.fine}>
              <span>{t("made", { date: date(createdAt, i18n.language) })}</span>
              <span>{lastUsedAt === null ? t("unused") : t("used", { date: dateTime(lastUsedAt, i18n.language) })}</span>
              {synced ? <span>{t("synced")}</span> : null}
            </p>
          </div>
          <div className={entries.actions}>
            <Button ref={renaming.opener} aria-label={t("rename.which", { name })} onClick={change("rename")}>
              {t("rename.begin")}
            </Button>
            <Button ref={removing.opener} aria-label={t("remove.which", { name })} onClick={change("remove")}>
              {t("remove.begin")}
            </Button>
          </div>
        </>
      ) : (
        <ChangePasskey passkeys={passkeys} passkey={passkey} wish={wish} confirmation={confirmation} />
      )}
    </li>
  );
}
