import * as v from "valibot";
import { Labels } from "#contract/exports/labels.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";

export { isTextFormat, textExport } from "#contract/exports/text-formats.ts";

/** The labels of an exported file, in the page's language. @throws ValiError when the texts could not be loaded */
export async function exportLabels(): Promise<Labels> {
  await loadTexts("exports-file");
  const { language } = i18n;
  return v.parse(Labels, { ...i18n.getResourceBundle(language, "exports-file"), language });
}
