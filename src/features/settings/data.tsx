import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { selectUser } from "#machines/session/selectors.ts";
import { Field, submit } from "#src/features/account/account-form.tsx";
import { openSession } from "#src/features/session/actor.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import type { Settings } from "./actor.ts";
import { Confirmation } from "./methods.tsx";
import { Card, Outcome, PartButton, useIsBusy, usePart } from "./part.tsx";
import styles from "./settings.module.css";

/** Links to the plan and to the vault. */
export function Ways() {
  const { t } = useTranslation("settings");
  return (
    <>
      <Card id="plan" title={t("plan.title")}>
        <p className={styles.soft}>{t("plan.text")}</p>
        <Link to="/subscription" className={buttonClass("secondary")}>
          {t("plan.open")}
        </Link>
      </Card>
      <Card id="vault" title={t("vault.title")}>
        <p className={styles.soft}>{t("vault.text")}</p>
        <Link to="/encrypted-audio" className={buttonClass("secondary")}>
          {t("vault.open")}
        </Link>
      </Card>
    </>
  );
}

/** Export and deletion of all data. */
export function Data({ settings }: { settings: Settings }) {
  const { t } = useTranslation("settings");
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Card id="export" title={t("export.title")}>
        <p className={styles.soft}>{t("export.text")}</p>
        <PartButton part={settings.export} label={t("export.submit")} icon="download" />
      </Card>
      <Card id="deletion" title={t("deletion.title")}>
        <p className={styles.soft}>{t("deletion.text")}</p>
        <Button icon="trash" onClick={() => setAsking(true)}>
          {t("deletion.open")}
        </Button>
        {asking ? <DeletionDialog settings={settings} onClose={() => setAsking(false)} /> : null}
      </Card>
    </>
  );
}

const gone = ["transcripts", "vault", "account", "browser"] as const;

/** Lists what will be deleted, and asks for the password or for a fresh sign-in. */
function DeletionDialog({ settings, onClose }: { settings: Settings; onClose(): void }) {
  const part = settings.deletion;
  const { t } = useTranslation("settings");
  const id = useId();
  const { form } = usePart(part);
  const busy = useIsBusy(part);
  const hasPassword = useSelector(openSession(), (snapshot) => selectUser(snapshot)?.hasPassword !== false);
  return (
    <dialog
      ref={(dialog) => {
        if (dialog && !dialog.open) dialog.showModal();
      }}
      className={dialogStyles.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        if (busy) event.preventDefault();
      }}
      onClose={onClose}
    >
      <form className={styles.form} noValidate onSubmit={(event) => submit(event, form)}>
        <h2 id={`${id}-title`}>{t("deletion.sure")}</h2>
        <div id={`${id}-text`}>
          <p>{t("deletion.gone.intro")}</p>
          <ul className={styles.gone}>
            {gone.map((what) => (
              <li key={what}>{t(`deletion.gone.${what}`)}</li>
            ))}
          </ul>
          <p>{t("deletion.final")}</p>
        </div>
        {hasPassword ? (
          <Field
            form={form}
            field={{
              name: "password",
              label: "settings:password.present",
              type: "password",
              autoComplete: "current-password",
              required: true,
            }}
          />
        ) : (
          <Confirmation settings={settings} />
        )}
        <Outcome part={part} />
        <div className={dialogStyles.actions}>
          <Button
            look="quiet"
            autoFocus={!hasPassword}
            aria-disabled={busy}
            onClick={(event) => {
              if (!busy) event.currentTarget.closest("dialog")?.close();
            }}
          >
            {t("deletion.cancel")}
          </Button>
          <Button type="submit" look="danger" icon="trash" busy={busy}>
            {t("deletion.submit")}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
