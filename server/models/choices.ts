import type { ModelChoices } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import type { InstalledModels } from "./model.ts";

/** The installed models, and the engines that are here. */
export interface ChoiceParts {
  models: Pick<InstalledModels, "find">;
  engines: { all(): readonly { id: string; languages: readonly string[] }[] };
  translation: { infos(): readonly { id: string }[] };
}

/** The voice that is no model. */
const espeak = "espeak";

/**
 * Whether what is chosen is here and does what it is chosen for.
 * @throws Problem `badRequest`
 */
export function checkChoices({ live, files, translation: orders, voices }: ModelChoices, parts: ChoiceParts): void {
  for (const [language, id] of [...Object.entries(live), ...Object.entries(files)]) {
    const recognizes = parts.engines.all().some((engine) => engine.id === id && engine.languages.some((one) => one === language));
    if (!recognizes) throw refused(id, language);
  }
  const translators = new Set(parts.translation.infos().map(({ id }) => id));
  for (const [pair, order] of Object.entries(orders)) {
    const stranger = order.find((id) => !translators.has(id));
    if (!/^[a-z]{2,3}(-\w+)?>[a-z]{2,3}(-\w+)?$/.test(pair))
      throw new Problem("badRequest", `"${pair}" is no pair such as en>es.`);
    if (stranger !== undefined) throw refused(stranger, pair);
  }
  for (const [language, id] of Object.entries(voices)) {
    const model = parts.models.find(id);
    const speaks = model?.purpose === "speaking" && model.languages.includes(language);
    if (id !== espeak && !speaks) throw refused(id, language);
  }
}

const refused = (id: string, language: string) =>
  new Problem("badRequest", `There is no model or engine "${id}" here for "${language}".`);
