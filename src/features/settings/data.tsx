import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOffered } from "#machines/query.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { Field, submit } from "#src/features/account/account-form.tsx";
import { Measuring } from "#src/features/analytics/measuring.tsx";
import { DeviceModelsCard, DeviceTranslations } from "#src/features/device-models/device-models-card.tsx";
import { openSession } from "#src/features/session/actor.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import { Confirmation } from "./methods.tsx";
import { Card, Outcome, PartButton, presentPassword, useIsBusy, usePart } from "./part.tsx";
import { RulesCard } from "./rules-card.tsx";
import { SectionView } from "./section-view.tsx";
import styles from "./settings.module.css";
import type { DataState } from "./states.ts";
import { StoredCard } from "./stored-card.tsx";

/** The stored data: its size, its retention, its export, and its deletion. */
export function Data(state: DataState) {
  const { t } = useTranslation("settings");
  const offered = useSelector(state.methods.list, selectIsOffered);
  return (
    <SectionView name="data">
      <StoredCard stored={state.stored} />
      <RulesCard rules={state.rules} />
      <Card id="vault" title={t("vault.title")} text={t("vault.text")}>
        <Link to="/encrypted-audio" className={buttonClass("secondary")}>
          {t("vault.open")}
        </Link>
      </Card>
      <Card id="device-models" title={t("device-models:title")} text={t("device-models:text")}>
        <DeviceModelsCard />
      </Card>
      <DeviceTranslations
        around={(models) => (
          <Card
            id="device-translations"
            title={t("device-models:translations.title")}
            text={t("device-models:translations.text")}
          >
            {models}
          </Card>
        )}
      />
      <Measuring
        around={(choice, title) => (
          <Card id="measuring" title={title}>
            {choice}
          </Card>
        )}
      />
      {offered ? <Leaving {...state} /> : null}
    </SectionView>
  );
}

/** The export and the deletion of all data. */
function Leaving(state: DataState) {
  const { t } = useTranslation("settings");
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Card id="export" title={t("export.title")} text={t("export.text")}>
        <PartButton part={state.export} label={t("export.submit")} icon="download" />
      </Card>
      <Card id="deletion" title={t("deletion.title")} text={t("deletion.text")}>
        <Button icon="trash" onClick={() => setAsking(true)}>
          {t("deletion.open")}
        </Button>
        {asking ? <DeletionDialog {...state} onClose={() => setAsking(false)} /> : null}
      </Card>
    </>
  );
}

const gone = ["transcripts", "vault", "account", "browser"] as const;

/** Lists what will be deleted. Asks for the password, or for a fresh sign-in. */
function DeletionDialog({ deletion: part, methods, onClose }: DataState & { onClose(): void }) {
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
      <form className={`stack starts fill ${styles.form}`} noValidate onSubmit={(event) => submit(event, form)}>
        <h2 id={`${id}-title`}>{t("deletion.sure")}</h2>
        <div id={`${id}-text`}>
          <p>{t("deletion.gone.intro")}</p>
          <ul className={`bullets ${styles.gone}`}>
            {gone.map((what) => (
              <li key={what}>{t(`deletion.gone.${what}`)}</li>
            ))}
          </ul>
          <p>{t("deletion.final")}</p>
        </div>
        {hasPassword ? <Field form={form} field={presentPassword("password")} /> : <Confirmation methods={methods} />}
        <Outcome part={part} />
        <div className="row at-end">
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
