import type { Labels } from "#contract/exports/labels.ts";
import { nearestInterfaceLanguage } from "#contract/interface-languages.ts";
import da from "../../public/locales/da/exports-file.json" with { type: "json" };
import de from "../../public/locales/de/exports-file.json" with { type: "json" };
import en from "../../public/locales/en/exports-file.json" with { type: "json" };
import es from "../../public/locales/es/exports-file.json" with { type: "json" };
import fr from "../../public/locales/fr/exports-file.json" with { type: "json" };
import nl from "../../public/locales/nl/exports-file.json" with { type: "json" };
import ptBr from "../../public/locales/pt-BR/exports-file.json" with { type: "json" };

const texts = { da, de, en, es, fr, nl, "pt-BR": ptBr };

/** In the nearest language of the interface, whatever its region, or else in English. */
export function labelsFor(wanted: string): Labels {
  const language = nearestInterfaceLanguage([wanted]);
  return { language, ...texts[language] };
}
