import { oneLine, type Segment } from "#contract/index.ts";
import { longDate } from "#server/metrics/days.ts";
import da from "../../public/locales/da/exports-file.json" with { type: "json" };
import de from "../../public/locales/de/exports-file.json" with { type: "json" };
import en from "../../public/locales/en/exports-file.json" with { type: "json" };
import es from "../../public/locales/es/exports-file.json" with { type: "json" };
import fr from "../../public/locales/fr/exports-file.json" with { type: "json" };
import nl from "../../public/locales/nl/exports-file.json" with { type: "json" };
import ptBr from "../../public/locales/pt-BR/exports-file.json" with { type: "json" };

/** The labels of an exported file in one language. */
export interface Labels extends Readonly<typeof en> {
  /** The interface language as a locale of Intl. */
  language: string;
}

const texts = new Map(Object.entries({ da, de, en, es, fr, nl, "pt-BR": ptBr }));

/** In the interface language, or else in English. */
export function labelsFor(language: string): Labels {
  const own = texts.get(language);
  return own === undefined ? { language: "en", ...en } : { language, ...own };
}

/** A speaker's display name: "Speaker 1" for one that only the engine has numbered; empty for none. */
export function speakerName({ speaker }: Pick<Segment, "speaker">, labels: Labels): string {
  if (speaker === undefined) return "";
  return /^\d+$/.test(speaker) ? `${labels.speaker} ${speaker}` : oneLine(speaker);
}

/** "es-ES" as "Spanish (Spain)"; the code itself when unknown. */
export function languageName(code: string, { language }: Labels): string {
  try {
    return new Intl.DisplayNames([language], { type: "language", languageDisplay: "standard" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A day with its time in UTC, as a person reads it: "1er décembre 2026 à 14:05 UTC". */
export function dateTimeUtc(at: Date, { language }: Labels): string {
  return `${longDate(at, language, { timeStyle: "short" })} UTC`;
}
