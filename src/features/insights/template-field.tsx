import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { builtInTemplates } from "#contract/index.ts";
import { selectModel } from "#machines/insights/selectors.ts";
import { selectDefault, selectDefaultFailure, selectTemplates } from "#machines/insights/templates.ts";
import { Button } from "#src/ui/button.tsx";
import entries from "#src/ui/entries.module.css";
import { Options, SelectField } from "#src/ui/field.tsx";
import { lazyPart } from "#src/ui/lazy-part.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { OpenInsights } from "./actor.ts";

/** Loaded when the user wants to write templates. */
const TemplatesDialog = lazyPart(async () => (await import("./templates-dialog.tsx")).TemplatesDialog);

interface Before {
  /** The name of the last used template. */
  last: string | null;
  /** The transcript's folder; null: none. */
  folderId: string | null;
}

/** The chosen template: a built-in one, or the id of an own one. Default: the last used one, then the folder's. */
export function useTemplate(templates: OpenInsights["templates"], { last, folderId }: Before) {
  const own = useSelector(templates, selectTemplates);
  const ofFolder = useSelector(templates, (snapshot) => selectDefault(snapshot, folderId));
  const [chosen, choose] = useState<string | null>(null);
  const known = (template: string) =>
    builtInTemplates.some((builtIn) => builtIn === template) || own.some(({ id }) => id === template);
  const before = own.find(({ name }) => name === last)?.id ?? last;
  // Skips a template that has been deleted since.
  const template = [chosen, before, ofFolder].find((one) => one !== null && known(one)) ?? builtInTemplates[0];
  return { template, choose };
}

interface TemplateFieldProps {
  templates: OpenInsights["templates"];
  template: string;
  onChoose(template: string): void;
}

/** The choice of the summary's template. */
export function TemplateField({ templates, template, onChoose }: TemplateFieldProps) {
  const { t } = useTranslation("insights");
  const own = useSelector(templates, selectTemplates);
  return (
    <SelectField label={t("template.label")} name="template" value={template} onChange={(event) => onChoose(event.target.value)}>
      <Options of={builtInTemplates.map((builtIn) => [builtIn, t(`template.${builtIn}`)])} />
      {own.length === 0 ? null : (
        <optgroup label={t("template.own")}>
          <Options of={own.map(({ id, name }) => [id, name])} />
        </optgroup>
      )}
    </SelectField>
  );
}

interface FolderDefaultProps extends Pick<OpenInsights, "actor" | "templates"> {
  /** The transcript's folder; null: none. */
  folderId: string | null;
  template: string;
  /** Keeps the template chosen here when the folder's default changes. */
  onChoose(template: string): void;
}

/** The switch that makes the chosen template the default of the folder. */
export function FolderDefault({ actor, templates, folderId, template, onChoose }: FolderDefaultProps) {
  const { t } = useTranslation("insights");
  const model = useSelector(actor, selectModel);
  const ofFolder = useSelector(templates, (snapshot) => selectDefault(snapshot, folderId));
  const failure = useSelector(templates, selectDefaultFailure);
  if (model === null || folderId === null) return null;
  return (
    <>
      <label className={entries.choice}>
        <input
          type="checkbox"
          checked={ofFolder === template}
          onChange={({ target }) => {
            onChoose(template);
            templates.send({ type: "default.chosen", folderId, template: target.checked ? template : null });
          }}
        />
        <span>{t("template.ofFolder")}</span>
      </label>
      {failure === null ? null : <Notice tone="danger">{t(`errors.${failure}`)}</Notice>}
    </>
  );
}

/**
 * Opens the user's own templates. The dialog has a form, so it must stay outside of the form that requests a summary.
 */
export function OwnTemplates({ actor, templates }: Pick<OpenInsights, "actor" | "templates">) {
  const { t } = useTranslation("insights");
  const model = useSelector(actor, selectModel);
  const [isWriting, setIsWriting] = useState(false);
  if (model === null) return null;
  return (
    <div>
      <Button look="quiet" icon="edit" aria-haspopup="dialog" onClick={() => setIsWriting(true)}>
        {t("template.manage")}
      </Button>
      {isWriting ? <TemplatesDialog templates={templates} onClose={() => setIsWriting(false)} /> : null}
    </div>
  );
}
