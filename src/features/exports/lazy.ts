import { lazy } from "react";
import { loadTexts } from "#src/i18n/index.ts";

/** Loaded with its texts when somebody opens it. */
export const ExportDialog = lazy(async () => {
  const [dialog] = await Promise.all([import("./dialog.tsx"), loadTexts("exports")]);
  return { default: dialog.ExportDialog };
});
