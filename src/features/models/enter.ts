import { loadTexts } from "#src/i18n/index.ts";
import { closeModels, type ModelManager, openModels } from "./actor.ts";

/** Called when the page is entered. Loaded with the first visit to it, and not before. */
export async function enterModels(): Promise<ModelManager> {
  await Promise.all([loadTexts("models"), loadTexts("admin")]);
  return openModels();
}

export { closeModels };
