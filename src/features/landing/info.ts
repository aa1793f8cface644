import { loadTexts } from "#src/i18n/index.ts";
import type { InfoName } from "./sections.ts";

/** Loads the content of terms, privacy or about. @param asks whether to request the server's engines */
export async function loadInfo(name: InfoName, asks: boolean) {
  const asked =
    asks && !import.meta.env.SSR
      ? import("#src/features/engines/public-engines.ts").then(({ askEngines }) => askEngines())
      : undefined;
  await loadTexts("landing");
  // Not awaited, because the texts are readable without the engines.
  return { info: { name, engines: asked?.catch(() => undefined) } };
}
