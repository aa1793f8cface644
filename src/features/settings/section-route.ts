import { loadTexts } from "#src/i18n/index.ts";
import type { OpenSection, Section } from "./create-section.ts";
import type { SectionName } from "./sections.ts";

type States = typeof import("./states.ts");

/**
 * Options of a section's route. Data is loaded on a navigation, not on a preload. A left section is never shown again,
 * because it may belong to another user.
 * @param texts the namespaces of other features in the section
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
