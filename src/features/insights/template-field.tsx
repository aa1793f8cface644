import { useSelector } from "@xstate/react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { builtInTemplates } from "#contract/index.ts";
import { selectModel } from "#machines/insights/selectors.ts";
import { selectTemplates } from "#machines/insights/templates.ts";
import { Button } from "#src/ui/button.tsx";
import { SelectField } from "#src/ui/field.tsx";
import type { OpenInsights } from "./actor.ts";

/** Loaded when somebody wants to write templates of their own. */
const TemplatesDialog = lazy(() => import("./templates-dialog.tsx").then((file) => ({ default: file.TemplatesDialog })));

/** The chosen template: a built-in one, or the id of one's own. @param last the name of the one that was used last */
export function useTemplate(templates: OpenInsights["templates"], last: string | null) {
  const own = useSelector(templates, selectTemplates);
  const [chosen, choose] = useState<string | null>(null);
  const known = (template: string) =>
    builtInTemplates.some((builtIn) => builtIn === template) || own.some(({ id }) => id === template);
  const before = own.find(({ name }) => name === last)?.id ?? last;
  // One that was deleted meanwhile is chosen no longer.
  const template = [chosen, before].find((one) => one !== null && known(one)) ?? builtInTemplates[0];
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
      {builtInTemplates.map((builtIn) => (
        <option key={builtIn} value={builtIn}>
          {t(`template.${builtIn}`)}
        </option>
      ))}
      {own.length === 0 ? null : (
        <optgroup label={t("template.own")}>
          {own.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </SelectField>
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
      {isWriting ? (
        <Suspense>
          <TemplatesDialog templates={templates} onClose={() => setIsWriting(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
