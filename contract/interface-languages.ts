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

/** Used where a text is missing in the chosen language. */
export const fallbackLanguage = "en";

/** The interface language that a detected one is, whatever its region; else English. */
export function nearestInterfaceLanguage(detected: string): (typeof interfaceLanguages)[number]["code"] {
  const baseOf = (code: string) => code.toLowerCase().split("-")[0];
  return interfaceLanguages.find(({ code }) => baseOf(code) === baseOf(detected))?.code ?? fallbackLanguage;
}
