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

/** Loaded when somebody wants to write templates of their own. */
const TemplatesDialog = lazyPart(async () => (await import("./templates-dialog.tsx")).TemplatesDialog);

interface Before {
  /** The name of the one that was used last. */
  last: string | null;
  /** The transcript's. */
  folderId: string | null;
}

/** The chosen template: a built-in one, or the id of one's own. Until one is chosen, that of before, or the folder's. */
export function useTemplate(templates: OpenInsights["templates"], { last, folderId }: Before) {
  const own = useSelector(templates, selectTemplates);
  const ofFolder = useSelector(templates, (snapshot) => selectDefault(snapshot, folderId));
  const [chosen, choose] = useState<string | null>(null);
  const known = (template: string) =>
    builtInTemplates.some((builtIn) => builtIn === template) || own.some(({ id }) => id === template);
  const before = own.find(({ name }) => name === last)?.id ?? last;
  // One that was deleted meanwhile is chosen no longer.
  const template = [chosen, before, ofFolder].find((one) => one !== null && known(one)) ?? builtInTemplates[0];
  return { template, choose };
}

interface TemplateFieldProps {
  templates: OpenInsights["templates"];
  template: string;
  onChoose(template: string): void;
}

/** What a summary looks at. */
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
  /** The transcript's; null: it is in none. */
  folderId: string | null;
  template: string;
  /** Keeps the template chosen here, whatever is the folder's. */
  onChoose(template: string): void;
}

/** Whether the chosen template is that of all transcripts in the folder. */
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

/** Opens the templates of one's own. It has a form, which must not be in the one that asks for a summary. */
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
