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

/** The best match for a detected language: the same, else the same language without region, else English. */
export function nearestInterfaceLanguage(detected: string): string {
  const wanted = detected.toLowerCase();
  const base = wanted.split("-")[0];
  const found =
    interfaceLanguages.find(({ code }) => code.toLowerCase() === wanted) ??
    interfaceLanguages.find(({ code }) => code.toLowerCase().split("-")[0] === base);
  return found?.code ?? fallbackLanguage;
}
