import { useSelector } from "@xstate/react";
import { type DragEvent, type ReactNode, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { avatarTypes, maxAvatarBytes } from "#contract/index.ts";
import { selectUser } from "#machines/session/machine.ts";
import { session } from "#src/features/session/actor.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Settings } from "./actor.ts";
import { avatarAddress } from "./avatar.ts";
import { Card, Outcome, PartButton, PartForm } from "./part.tsx";
import styles from "./settings.module.css";

/** What somebody is called, and looks like, here. */
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
  const user = useSelector(session, selectUser);
  const { url, problem } = useSyncExternalStore(picture.chosen.subscribe, picture.chosen.get);
  const kept = user?.avatar_url ?? null;
  const size = bytes(maxAvatarBytes, i18n.language);
  const initial = [...(user?.name || user?.email || "?")][0]?.toUpperCase();
  return (
    <Card id="picture" title={t("picture.title")}>
      <Drop onFile={picture.choose}>
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
            <Chooser onFile={picture.choose} />
            {url === "" ? null : (
              <Button
                look="quiet"
                onClick={({ currentTarget }) => {
                  // It goes away; what it leads back to stays.
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
      </Drop>
      {problem === null ? null : <Notice tone="danger">{t(problem, { size })}</Notice>}
      <Outcome part={picture} failure={url !== ""} success={kept !== null} />
      <Outcome part={removePicture} failure={url === "" && kept !== null} success={url === "" && kept === null} />
    </Card>
  );
}

function Chooser({ onFile }: { onFile(file: File): void }) {
  const { t } = useTranslation("settings");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" data-chooser onClick={() => input.current?.click()}>
        {t("picture.choose")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={avatarTypes.join()}
        aria-label={t("picture.choose")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) onFile(file);
          event.target.value = "";
        }}
      />
    </>
  );
}

function Drop({ onFile, children }: { onFile(file: File): void; children: ReactNode }) {
  const { t } = useTranslation("settings");
  const [over, setOver] = useState(false);
  const leave = ({ relatedTarget, currentTarget }: DragEvent) => {
    // Going on to what stands inside of it is not leaving.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
  };
  return (
    <section
      className={`${styles.drop} ${over ? styles.over : ""}`}
      aria-label={t("picture.choose")}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={leave}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onFile(file);
      }}
    >
      {children}
    </section>
  );
}
