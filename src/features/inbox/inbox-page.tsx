import { Link, useLoaderData } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type AccountField, AccountForm } from "#src/features/account/account-form.tsx";
import type { InboxForm } from "./actor.ts";

const email: AccountField = {
  name: "email",
  label: "account.email",
  type: "email",
  autoComplete: "email",
  inputMode: "email",
  required: true,
};
const text: AccountField = { name: "text", label: "inbox:text", kind: "lines" };
const fields: Record<InboxForm, readonly AccountField[]> = {
  feedback: [{ name: "rating", label: "inbox:feedback.rating", kind: "rating" }, text],
  contact: [{ name: "name", label: "account.name", type: "text", autoComplete: "name" }, email, text],
  waitlist: [email],
};

/** The form of feedback, contact, or the waiting list. */
export function InboxPage() {
  const { t } = useTranslation("inbox");
  const inbox = useLoaderData({ strict: false, select: (data) => (data && "inbox" in data ? data.inbox : undefined) });
  if (inbox === undefined) return null;
  const { name, form } = inbox;
  return (
    <AccountForm
      form={form}
      title={t(`${name}.title`)}
      lead={t(`${name}.lead`)}
      submitLabel={t(`${name}.send`)}
      fields={fields[name]}
      alternative={null}
    >
      {name === "feedback" ? <Link to="/dashboard">{t("nav.dashboard")}</Link> : <Link to="/">{t("home")}</Link>}
    </AccountForm>
  );
}
