import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { avatarTypes, maxAvatarBytes } from "#contract/index.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { DropZone } from "#src/ui/drop-zone.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Settings } from "./actor.ts";
import { avatarAddress } from "./avatar.ts";
import { Card, Outcome, PartButton, PartForm } from "./part.tsx";
import styles from "./settings.module.css";

/** Name and picture. */
export function Profile({ settings }: { settings: Settings }) {
  const { t } = useTranslation("settings");
  return (
    <>
      <Card id="name" title={t("name.title")}>
        <PartForm
          part={settings.name}
          fields={[{ name: "name", label: "settings:name.label", type: "text", autoComplete: "name" }]}
          submitLabel={t("save")}
        />
      </Card>
      <Picture settings={settings} />
    </>
  );
}

function Picture({ settings: { picture, removePicture } }: { settings: Settings }) {
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
        <div className={styles.stack}>
          <p className={styles.soft}>{url === "" ? t("picture.drop", { size }) : t("picture.preview")}</p>
          <div className={styles.actions}>
            {url === "" ? null : <PartButton part={picture} label={t("picture.use")} look="primary" silent />}
            <FileButton label={t("picture.choose")} accept={avatarTypes.join()} onFiles={take} />
            {url === "" ? null : (
              <Button
                look="quiet"
                onClick={({ currentTarget }) => {
                  // The button disappears; the one that restores it stays.
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
