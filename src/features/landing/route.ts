import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import type { InfoName } from "./sections.ts";

// One chunk for the three: they share all but their texts.
const component = lazyRouteComponent(() => import("./info-page.tsx"), "InfoPage");

/** The options of a page that informs: terms, privacy, about. @param asks whether it says which engines the server has */
export function infoRoute(titleKey: string, name: InfoName, asks: boolean) {
  return {
    staticData: { titleKey },
    loader: async () => {
      const asked = asks ? import("#src/features/engines/public-engines.ts").then(({ askEngines }) => askEngines()) : undefined;
      await loadTexts("landing");
      // Not waited for: the texts can be read without it.
      return { info: { name, engines: asked?.catch(() => undefined) } };
    },
    component,
  };
}
