import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { avatarTypes, maxAvatarBytes } from "#contract/index.ts";
import { selectIsOffered } from "#machines/query.ts";
import { selectUser } from "#machines/session/selectors.ts";
import type { AccountField } from "#src/features/account/account-form.tsx";
import { emailField } from "#src/features/account/fields.ts";
import { openSession } from "#src/features/session/actor.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { DropZone } from "#src/ui/drop-zone.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { avatarAddress } from "./avatar.ts";
import { Confirmation } from "./methods.tsx";
import { Card, ChangeForm, Outcome, PartButton, PartForm, presentPassword } from "./part.tsx";
import { NotOffered, SectionView } from "./section-view.tsx";
import styles from "./settings.module.css";
import type { AccountState } from "./states.ts";

/** Name, picture, address and plan. */
export function Account(state: AccountState) {
  const { t } = useTranslation("settings");
  const offered = useSelector(state.methods.list, selectIsOffered);
  return (
    <SectionView name="account">
      {offered ? (
        <>
          <Card id="name" title={t("name.title")}>
            <PartForm
              part={state.name}
              fields={[{ name: "name", label: "settings:name.label", type: "text", autoComplete: "name" }]}
              submitLabel={t("save")}
            />
          </Card>
          <PictureCard {...state} />
          <EmailCard {...state} />
        </>
      ) : (
        <NotOffered what="account" />
      )}
      <Card id="plan" title={t("plan.title")} text={t("plan.text")}>
        <Link to="/subscription" className={buttonClass("secondary")}>
          {t("plan.open")}
        </Link>
      </Card>
    </SectionView>
  );
}

const address: AccountField = {
  ...emailField,
  label: "settings:email.label",
  hint: "settings:email.hint",
  autoComplete: "email",
};

function EmailCard({ email, resend, methods }: AccountState) {
  const { t } = useTranslation("settings");
  const user = useSelector(openSession(), selectUser);
  return (
    <Card id="email" title={t("email.title")}>
      <p>{t("email.now", { email: user?.email ?? "" })}</p>
      {user?.emailVerified === false ? (
        <div className={`stack starts fill ${styles.form}`}>
          <Notice announce={false}>{t("email.unconfirmed")}</Notice>
          <PartButton part={resend} replaces={email} label={t("email.resend")} />
        </div>
      ) : null}
      <ChangeForm
        part={email}
        replaces={resend}
        label={t("change")}
        headingId="email"
        before={<Confirmation methods={methods} />}
        fields={user?.hasPassword === false ? [address] : [address, presentPassword("password")]}
        username={user?.email}
        submitLabel={t("email.submit")}
      />
    </Card>
  );
}

function PictureCard({ picture, removePicture }: AccountState) {
  const { t, i18n } = useTranslation("settings");
  const user = useSelector(openSession(), selectUser);
  const { url, problem } = useSyncExternalStore(picture.chosen.subscribe, picture.chosen.get);
  const kept = user?.avatar_url ?? null;
  const size = bytes(maxAvatarBytes, i18n.language);
  const take = ([file]: File[]) => {
    if (file !== undefined) picture.choose(file);
  };
  const initial = [...(user?.name || user?.email || "?")][0]?.toUpperCase();
  return (
    <Card id="picture" title={t("picture.title")}>
      <DropZone label={t("picture.choose")} className={styles.drop} onFiles={take}>
        {url !== "" ? (
          <img className={styles.face} src={url} alt={t("picture.preview")} onError={picture.unreadable} />
        ) : kept !== null ? (
          <img className={styles.face} src={avatarAddress(kept)} alt={t("picture.yours")} />
        ) : (
          <span className={styles.face} aria-hidden="true">
            {initial}
          </span>
        )}
        <div className={`stack starts ${styles.stack}`}>
          <p className="note">{url === "" ? t("picture.drop", { size }) : t("picture.preview")}</p>
          <div className="row">
            {url === "" ? null : <PartButton part={picture} label={t("picture.use")} look="primary" silent />}
            <FileButton label={t("picture.choose")} accept={avatarTypes.join()} onFiles={take} />
            {url === "" ? null : (
              <Button
                look="quiet"
                onClick={({ currentTarget }) => {
                  // The button disappears. The button that chooses a picture stays, so it takes the focus.
                  currentTarget.parentElement?.querySelector<HTMLElement>("[data-chooser]")?.focus();
                  picture.choose(null);
                }}
              >
                {t("picture.discard")}
              </Button>
            )}
            {url === "" && kept !== null ? (
              <PartButton part={removePicture} label={t("picture.remove")} look="quiet" silent />
            ) : null}
          </div>
        </div>
      </DropZone>
      {problem === null ? null : <Notice tone="danger">{t(problem, { size })}</Notice>}
      <Outcome part={picture} failure={url !== ""} success={kept !== null} />
      <Outcome part={removePicture} failure={url === "" && kept !== null} success={url === "" && kept === null} />
    </Card>
  );
}
