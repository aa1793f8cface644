import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Passkey } from "#contract/index.ts";
import { selectIsOpen } from "#machines/collection/loading.ts";
import { selectWish } from "#machines/passkeys/machine.ts";
import { Items } from "#src/features/collection/items.tsx";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { NewItem } from "#src/features/collection/new-item.tsx";
import { date, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import type { PasskeysActor } from "./actor.ts";
import { AddPasskey, ChangePasskey } from "./passkey-forms.tsx";

interface PasskeysProps {
  passkeys: PasskeysActor;
  /** Confirms the identity of a user without a password. */
  confirmation: ReactNode;
}

/** Whether this browser can create a passkey on this connection. */
const isPossible = () => "PublicKeyCredential" in globalThis;

/** Sign-in with the finger, face or PIN of a device. Lists, adds, renames and removes passkeys. */
export function PasskeysCard({ passkeys, confirmation }: PasskeysProps) {
  const { t } = useTranslation("passkeys");
  const isOpen = useSelector(passkeys, selectIsOpen);
  return (
    <>
      <p className="measure note">{t("text")}</p>
      <LoadingNotices actor={passkeys} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {isOpen ? (
        <Items
          actor={passkeys}
          texts={{ none: t("none"), yours: t("yours") }}
          row={(passkey) => <Row key={passkey.id} passkeys={passkeys} passkey={passkey} confirmation={confirmation} />}
          failure={(code) => t([`failure.${code}`, "failure.other"])}
        />
      ) : null}
      {isOpen && isPossible() ? (
        <NewItem actor={passkeys} label={t("add.begin")} form={<AddPasskey passkeys={passkeys} confirmation={confirmation} />} />
      ) : null}
      {isPossible() ? null : <Notice announce={false}>{t("impossible")}</Notice>}
    </>
  );
}

/** A passkey's name, its creation and its last use; or the form that changes it. */
function Row({ passkeys, passkey, confirmation }: PasskeysProps & { passkey: Passkey }) {
  const { t, i18n } = useTranslation("passkeys");
  const { id, name, createdAt, lastUsedAt, synced } = passkey;
  const wish = useSelector(passkeys, (snapshot) => selectWish(snapshot, id));
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
            <p className="strong anywhere">
              <bdi>{name}</bdi>
            </p>
            <p className="facts measure size-1">
              <span>{t("made", { date: date(createdAt, i18n.language) })}</span>
              <span>{lastUsedAt === null ? t("unused") : t("used", { date: dateTime(lastUsedAt, i18n.language) })}</span>
              {synced ? <span>{t("synced")}</span> : null}
            </p>
          </div>
          <div className="row">
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
