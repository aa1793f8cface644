import { useSelector } from "@xstate/react";
import { type FormEvent, useCallback, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { insightLimits, maxTemplates, type Template } from "#contract/index.ts";
import { selectFailure, selectIsSaving, selectIsUnloaded, selectTemplates } from "#machines/insights/templates.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import { TextArea, TextField } from "#src/ui/field.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { OpenInsights } from "./actor.ts";
import { formText } from "./form-text.ts";
import styles from "./insights.module.css";

interface TemplatesDialogProps {
  templates: OpenInsights["templates"];
  onClose(): void;
}

/** Creates, edits and deletes the user's own templates. */
export function TemplatesDialog({ templates, onClose }: TemplatesDialogProps) {
  const { t } = useTranslation("insights");
  const id = useId();
  const own = useSelector(templates, selectTemplates);
  const failure = useSelector(templates, selectFailure);
  const unloaded = useSelector(templates, selectIsUnloaded);
  const [edited, setEdited] = useState<Template | "new" | null>(null);
  const listen = useCallback(
    (dialog: HTMLDialogElement | null) => {
      if (dialog === null) return undefined;
      if (!dialog.open) dialog.showModal();
      const saved = templates.on("change.saved", () => setEdited(null));
      return () => saved.unsubscribe();
    },
    [templates],
  );
  return (
    <dialog ref={listen} className={dialogStyles.dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{t("template.title")}</h2>
      <p className={dialogStyles.body}>{t("template.text")}</p>
      {failure === null ? null : (
        <RetryNotice label={t("retry")} onRetry={unloaded && (() => templates.send({ type: "reload.requested" }))}>
          {t(`errors.${failure}`)}
        </RetryNotice>
      )}
      {edited === null ? (
        <>
          <ul className={styles.templates}>
            {own.map((template) => (
              <li key={template.id} className="line">
                <span className="grow anywhere" dir="auto">
                  {template.name}
                </span>
                <IconButton icon="edit" label={t("template.edit", { name: template.name })} onClick={() => setEdited(template)} />
                <IconButton
                  icon="trash"
                  label={t("template.delete", { name: template.name })}
                  onClick={() => templates.send({ type: "template.removed", id: template.id })}
                />
              </li>
            ))}
          </ul>
          <div className="row at-end">
            {own.length < maxTemplates && !unloaded ? (
              <Button icon="plus" onClick={() => setEdited("new")}>
                {t("template.add")}
              </Button>
            ) : null}
            <Button look="primary" onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
              {t("template.close")}
            </Button>
          </div>
        </>
      ) : (
        <TemplateForm templates={templates} template={edited === "new" ? null : edited} onCancel={() => setEdited(null)} />
      )}
    </dialog>
  );
}

interface TemplateFormProps {
  templates: OpenInsights["templates"];
  /** null: a new one. */
  template: Template | null;
  onCancel(): void;
}

function TemplateForm({ templates, template, onCancel }: TemplateFormProps) {
  const { t } = useTranslation("insights");
  const saving = useSelector(templates, selectIsSaving);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const draft = { name: formText(values, "name"), prompt: formText(values, "prompt") };
    if (draft.name !== "" && draft.prompt !== "") {
      templates.send({ type: "template.saved", id: template?.id ?? null, draft });
    }
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={t("template.name")}
        name="name"
        defaultValue={template?.name ?? ""}
        maxLength={insightLimits.templateName}
        required
        autoFocus
        autoComplete="off"
      />
      <TextArea
        label={t("template.prompt")}
        hint={t("template.promptHint")}
        name="prompt"
        defaultValue={template?.prompt ?? ""}
        maxLength={insightLimits.templatePrompt}
        required
      />
      <div className="row at-end">
        <Button look="quiet" onClick={onCancel}>
          {t("template.cancel")}
        </Button>
        <Button type="submit" look="primary" busy={saving}>
          {t("template.save")}
        </Button>
      </div>
    </form>
  );
}
