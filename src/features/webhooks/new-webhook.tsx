import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { maxWebhookUrl, type NewWebhook, WebhookEvent, webhookEvents } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { selectIsCreating } from "#machines/collection/selectors.ts";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Webhooks } from "./actor.ts";
import { typeKey } from "./keys.ts";
import styles from "./webhooks.module.css";

const draftIn = (form: HTMLFormElement): NewWebhook => {
  const data = new FormData(form);
  const events = data.getAll("event").filter((event) => v.is(WebhookEvent, event));
  return { url: String(data.get("url") ?? ""), events };
};

/** The form for a new webhook: its address and its message types. */
export function NewWebhookForm({ webhooks }: { webhooks: Webhooks }) {
  const { t } = useTranslation("webhooks");
  const failure = useSelector(webhooks, selectFailure);
  const creating = useSelector(webhooks, selectIsCreating);
  return (
    <EntryForm
      className="ruled"
      title={t("form.title")}
      submitLabel={t("form.create")}
      cancelLabel={t("form.cancel")}
      busy={creating}
      onSubmit={(form) => webhooks.send({ type: "creation.submitted", draft: draftIn(form) })}
      onDismiss={() => webhooks.send({ type: "creation.dismissed" })}
    >
      <TextField
        name="url"
        type="url"
        inputMode="url"
        label={t("form.url")}
        hint={t("form.urlHint")}
        placeholder="https://"
        error={failure === "noUrl" ? t("failure.noUrl") : undefined}
        maxLength={maxWebhookUrl}
        autoComplete="off"
        required
      />
      <fieldset className={`stack gap-2 ${entries.choices}`}>
        <legend>{t("form.events")}</legend>
        {webhookEvents.map((event) => (
          <label key={event} className={entries.choice}>
            <input type="checkbox" name="event" value={event} defaultChecked />
            <span>
              {t(`type.${typeKey(event)}`)} <code className={`note ${styles.id}`}>{event}</code>
            </span>
          </label>
        ))}
      </fieldset>
      {failure === null || failure === "noUrl" ? null : (
        <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>
      )}
    </EntryForm>
  );
}
