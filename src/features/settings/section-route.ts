import { loadTexts } from "#src/i18n/index.ts";
import type { OpenSection, Section } from "./create-section.ts";
import type { SectionName } from "./sections.ts";

type States = typeof import("./states.ts");

/**
 * Options of a section's route. Its data is loaded when it is opened, not when a pointer rests on its link; what is
 * left is never shown again: it may be another person's.
 * @param texts the namespaces of the other features in it
 */
export function sectionRoute<State>(name: SectionName, pick: (states: States) => Section<State>, texts: readonly string[] = []) {
  const section = async () => pick(await import("./states.ts"));
  return {
    staticData: { titleKey: `settings:sections.${name}.title` },
    loader: async (): Promise<OpenSection<State>> => {
      const [{ enter }] = await Promise.all([section(), ...["settings", ...texts].map(loadTexts)]);
      const opened = enter();
      await opened.loaded;
      return opened;
    },
    preload: false,
    gcTime: 0,
    onLeave: async () => (await section()).leave(),
  };
}
