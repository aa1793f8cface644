import { useSelector } from "@xstate/react";
import type { SubmitEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { type Message, selectFieldErrors, selectFirstWrongField, selectMessage } from "#machines/submission.ts";
import { UpgradeLink } from "#src/features/subscription/upgrade-link.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { SampleForm } from "./first-run-forms.ts";
import type { UrlForm } from "./url-form.ts";

/** The field for a recording's address. */
export function UrlField({ form, ...texts }: { form: UrlForm; label: string; hint?: string; placeholder?: string }) {
  const { t } = useTranslation("uploads");
  const error = useSelector(form, (snapshot) => selectFieldErrors(snapshot).url);
  return (
    <TextField
      type="url"
      name="url"
      {...texts}
      error={error ? t(error) : undefined}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={form.getSnapshot().context.values.url}
      onChange={(event) => form.send({ type: "field.changed", field: "url", value: event.target.value })}
    />
  );
}

/** Explains why the server refused the form. */
export function Refusal({ form }: { form: UrlForm | SampleForm }) {
  const { t } = useTranslation("uploads");
  const message: Message | null = useSelector(form, selectMessage);
  if (message === null) return null;
  const code = "key" in message ? message.key.replace(/^errors\./, "") : null;
  return (
    <Notice tone="danger" actions={<UpgradeLink code={code} />}>
      {"text" in message ? message.text : t(message.key, { ...message.values })}
    </Notice>
  );
}

/** Submits the form. An invalid URL's field takes the focus once its error is rendered. */
export function submitUrl(event: SubmitEvent<HTMLFormElement>, form: UrlForm, options: Record<string, string> = {}): void {
  const field = event.currentTarget.elements.namedItem("url");
  if (!(field instanceof HTMLInputElement)) return;
  flushSync(() => form.send({ type: "submit.requested", values: { ...options, url: field.value } }));
  if (selectFirstWrongField(form.getSnapshot()) !== null) field.focus();
}
