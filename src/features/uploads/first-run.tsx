import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { selectIsDone, selectIsSubmitting } from "#machines/submission.ts";
import { LanguagesHere } from "#src/features/engines/languages-here.tsx";
import { UpgradeLink } from "#src/features/subscription/upgrade-link.tsx";
import { limitReasonId, MinutesLeft, useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { acceptedFiles } from "./drop-zone.tsx";
import styles from "./first-run.module.css";
import type { SampleForm } from "./first-run-forms.ts";
import { handOver } from "./handed-over.ts";
import { Refusal, submitUrl, UrlField } from "./url-field.tsx";
import type { UrlForm } from "./url-form.ts";

interface FirstRunProps {
  address: UrlForm;
  sample: SampleForm;
}

/** An empty dashboard: three ways to begin, an address field, a sample, and the minutes left this month. */
export function FirstRun({ address, sample }: FirstRunProps) {
  // The error texts of the address are in the namespace of the uploads.
  const { t } = useTranslation(["app", "uploads"]);
  return (
    <section className="stack gap-5" aria-labelledby="first-run">
      <div className="row apart baseline">
        <h2 className="size-4" id="first-run">
          {t("firstRun.title")}
        </h2>
        <MinutesLeft />
      </div>
      <LanguagesHere />
      <ul className={`columns ${styles.doors}`}>
        <Door icon="microphone" name="speak">
          <Link className={buttonClass("primary")} to="/speech-to-text">
            {t("firstRun.speakGo")}
          </Link>
        </Door>
        <Door icon="upload" name="drop">
          <Choose />
        </Door>
        <Door icon="translate" name="converse">
          <Link className={buttonClass("secondary")} to="/voice-translator">
            {t("firstRun.converseGo")}
          </Link>
        </Door>
      </ul>
      <Address form={address} />
      <Sample form={sample} />
    </section>
  );
}

interface DoorProps {
  icon: "microphone" | "upload" | "translate";
  name: "speak" | "drop" | "converse";
  children: ReactNode;
}

function Door({ icon, name, children }: DoorProps) {
  const { t } = useTranslation("app");
  return (
    <li className={`card stack starts gap-2 ${styles.door}`}>
      <Icon name={icon} />
      <h3 className="size-3">{t(`firstRun.${name}`)}</h3>
      <p>{t(`firstRun.${name}Text`)}</p>
      {children}
    </li>
  );
}

/** Chosen files are handled like dropped ones (dashboard-drop.tsx). */
function Choose() {
  const { t } = useTranslation("app");
  const navigate = useNavigate();
  if (useIsAtLimit()) return <UpgradeLink code="limitReached" look="secondary" />;
  return (
    <FileButton
      label={t("uploads.choose")}
      accept={acceptedFiles}
      multiple
      onFiles={(files) => {
        handOver(files);
        void navigate({ to: "/speech-to-text" });
      }}
    />
  );
}

function Address({ form }: { form: UrlForm }) {
  const { t } = useTranslation("app");
  const atLimit = useIsAtLimit();
  const submitting = useSelector(form, selectIsSubmitting);
  const done = useSelector(form, selectIsDone);
  return (
    <form
      className={styles.address}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!atLimit) submitUrl(event, form);
      }}
    >
      <UrlField form={form} label={t("firstRun.address")} placeholder="https://" />
      <span className={`row ${styles.go}`}>
        <Button
          type="submit"
          busy={submitting || done}
          {...(atLimit && { "aria-disabled": true, "aria-describedby": limitReasonId })}
        >
          {t("firstRun.addressGo")}
        </Button>
        <Link className={buttonClass("quiet")} to="/url-transcription-config">
          {t("firstRun.addressMore")}
        </Link>
      </span>
      <Refusal form={form} />
    </form>
  );
}

function Sample({ form }: { form: SampleForm }) {
  const { t } = useTranslation("app");
  const heading = useId();
  const submitting = useSelector(form, selectIsSubmitting);
  const done = useSelector(form, selectIsDone);
  return (
    <section className={styles.sample} aria-labelledby={heading}>
      <h3 id={heading} className="size-3">
        {t("firstRun.sample")}
      </h3>
      <p>{t("firstRun.sampleText")}</p>
      <Button icon="play" busy={submitting || done} onClick={() => form.send({ type: "submit.requested", values: {} })}>
        {t("firstRun.sampleGo")}
      </Button>
      <Refusal form={form} />
    </section>
  );
}
