import { loadTexts } from "#src/i18n/index.ts";
import type { InfoName } from "./sections.ts";

/** What the pages terms, privacy and about show. @param asks whether that includes the server's engines */
export async function loadInfo(name: InfoName, asks: boolean) {
  const asked =
    asks && !import.meta.env.SSR
      ? import("#src/features/engines/public-engines.ts").then(({ askEngines }) => askEngines())
      : undefined;
  await loadTexts("landing");
  // Not awaited: the texts can be read without it.
  return { info: { name, engines: asked?.catch(() => undefined) } };
}
