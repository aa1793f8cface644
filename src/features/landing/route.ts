import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import type { InfoName } from "./sections.ts";

// One chunk for all three: they share all but their texts.
const component = lazyRouteComponent(() => import("./info-page.tsx"), "InfoPage");

/** Options of the pages terms, privacy and about. @param asks whether it shows the server's engines */
export function infoRoute(titleKey: string, name: InfoName, asks: boolean) {
  return {
    staticData: { titleKey },
    loader: async () => {
      const asked =
        asks && !import.meta.env.SSR
          ? import("#src/features/engines/public-engines.ts").then(({ askEngines }) => askEngines())
          : undefined;
      await loadTexts("landing");
      // Not awaited: the texts can be read without it.
      return { info: { name, engines: asked?.catch(() => undefined) } };
    },
    component,
  };
}
