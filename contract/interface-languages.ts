/** The interface languages (SPEC.md section 3), each with its native name. */
export const interfaceLanguages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
  { code: "es", name: "Español" },
  { code: "fr", name: "Français" },
  { code: "pt-BR", name: "Português (Brasil)" },
  { code: "nl", name: "Nederlands" },
  { code: "da", name: "Dansk" },
] as const;

/** Used for texts that are missing in the chosen language. */
export const fallbackLanguage = "en";

const baseOf = (code: string) => code.toLowerCase().split(/[-_]/)[0];

/**
 * The first wanted language that is available, ignoring region and case; else English. index.html has the same rule.
 */
export function nearestInterfaceLanguage(wanted: readonly string[]): (typeof interfaceLanguages)[number]["code"] {
  const offered = wanted.flatMap((code) => interfaceLanguages.filter((language) => baseOf(language.code) === baseOf(code)));
  return offered[0]?.code ?? fallbackLanguage;
}
