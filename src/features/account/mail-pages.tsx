import { Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsDone, selectMessage } from "#machines/submission.ts";
import { useSignedInHint } from "#src/features/session/token-hint.ts";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./account-form.module.css";
import { type AccountField, AccountForm } from "./account-form.tsx";
import { emailField, newPasswordField, passwordField } from "./fields.ts";
import type { AccountForm as Form } from "./forms.ts";
import type { MailForm } from "./mails.ts";

/** Title, text, form and action of each page. */
const pages: Record<MailForm, { title: string; lead: string; submit: string; fields: readonly AccountField[] }> = {
  forgot: { title: "titles.forgotPassword", lead: "account.forgotLead", submit: "account.sendLink", fields: [emailField] },
  reset: {
    title: "titles.resetPassword",
    lead: "account.resetLead",
    submit: "account.changePassword",
    fields: [newPasswordField],
  },
  resend: {
    title: "titles.emailConfirmation",
    lead: "account.confirmationLead",
    submit: "account.sendAgain",
    fields: [emailField],
  },
  confirm: { title: "titles.emailVerification", lead: "account.verifyLead", submit: "account.confirmEmail", fields: [] },
  prove: {
    title: "titles.emailVerification",
    lead: "account.proveLead",
    submit: "account.confirmEmail",
    fields: [passwordField],
  },
  stop: { title: "account.stopTitle", lead: "account.stopLead", submit: "account.stopChange", fields: [] },
};

/** The pages that emails link to, or that request an email. */
export function MailPage() {
  const mail = useLoaderData({ strict: false, select: (data) => (data && "mail" in data ? data.mail : undefined) });
  if (mail === undefined) return null;
  if (mail.name === "confirm" && mail.token === "" && mail.confirmed) return <Confirmed />;
  if ((mail.name === "confirm" || mail.name === "reset") && mail.token === "") return <NoLink name={mail.name} />;
  return <MailFormPage name={mail.name} token={mail.token} form={mail.form} />;
}

/** The messages for an invalid or expired link. */
const badLinks = new Set(["errors.linkInvalid", "account.stopTooLate"]);

function MailFormPage({ name, token, form }: { name: MailForm; token: string; form: Form }) {
  const { t } = useTranslation();
  const done = useSelector(form, selectIsDone);
  const message = useSelector(form, selectMessage);
  const linkIsBad = message !== null && "key" in message && badLinks.has(message.key);
  const { title, lead, submit, fields } = pages[name];
  if (done && (name === "confirm" || name === "prove")) return <Confirmed />;
  return (
    <AccountForm
      form={form}
      title={t(title)}
      lead={done ? undefined : t(lead)}
      submitLabel={t(submit)}
      fields={fields}
      alternative={null}
    >
      <Next name={name} token={token} linkIsBad={linkIsBad} done={done} />
    </AccountForm>
  );
}

/** The links below the form. */
function Next({ name, token, linkIsBad, done }: { name: MailForm; token: string; linkIsBad: boolean; done: boolean }) {
  const { t } = useTranslation();
  // An attacker can request the change again until the password has been changed, so offer the password reset.
  if (name === "stop" && (done || linkIsBad)) return <Link to="/forgot-password">{t("titles.resetPassword")}</Link>;
  if (name === "prove" && !linkIsBad) {
    return (
      <>
        {t("account.proveOther")}{" "}
        <Link to="/auth/reset-password" hash={`token=${token}`}>
          {t("titles.resetPassword")}
        </Link>
      </>
    );
  }
  return linkIsBad ? <RequestNewLink name={name} /> : <WayOn />;
}

/** Requests a new link in place of an expired one. */
function RequestNewLink({ name }: { name: MailForm }) {
  const { t } = useTranslation();
  return <Link to={name === "reset" ? "/forgot-password" : "/email-confirmation"}>{t("account.requestNewLink")}</Link>;
}

function WayOn() {
  const { t } = useTranslation();
  const signedIn = useSignedInHint();
  return signedIn ? <Link to="/dashboard">{t("nav.dashboard")}</Link> : <Link to="/signin">{t("account.backToSignIn")}</Link>;
}

function Confirmed() {
  const { t } = useTranslation();
  return (
    <div className={styles.account}>
      <h1 tabIndex={-1}>{t("titles.emailConfirmed")}</h1>
      <Notice tone="good">{t("account.emailConfirmed")}</Notice>
      <p className={`ruled stack starts gap-2 note ${styles.other}`}>
        <WayOn />
      </p>
    </div>
  );
}

/** Shown when the page is opened without the email's link. */
function NoLink({ name }: { name: "confirm" | "reset" }) {
  const { t } = useTranslation();
  return (
    <div className={styles.account}>
      <h1 tabIndex={-1}>{t(pages[name].title)}</h1>
      <Notice>{t("account.openTheMail")}</Notice>
      <p className={`ruled stack starts gap-2 note ${styles.other}`}>
        <RequestNewLink name={name} />
      </p>
    </div>
  );
}
