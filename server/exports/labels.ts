import { type NoteColour, oneLine, type Segment } from "#contract/index.ts";
import { longDate } from "#server/metrics/days.ts";

/** The labels of an exported file in one language. */
export interface Labels {
  /** The interface language as a locale of Intl. */
  language: string;
  speaker: string;
  talkTime: string;
  time: string;
  date: string;
  length: string;
  spoken: string;
  translated: string;
  original: string;
  translation: string;
  untitled: string;
  notes: string;
  /** Of highlights. */
  colours: Readonly<Record<NoteColour, string>>;
  /** Between a label and what it labels. */
  colon: string;
}

const english: Labels = {
  language: "en",
  speaker: "Speaker",
  talkTime: "Talk time",
  time: "Time",
  date: "Date",
  length: "Length",
  spoken: "Spoken language",
  translated: "Translated to",
  original: "Original",
  translation: "Translation",
  untitled: "Untitled",
  notes: "Notes",
  colours: { yellow: "yellow", green: "green", blue: "blue", pink: "pink" },
  colon: ": ",
};

const all: readonly Labels[] = [
  english,
  {
    language: "de",
    speaker: "Sprecher",
    talkTime: "Redezeit",
    time: "Zeit",
    date: "Datum",
    length: "Länge",
    spoken: "Gesprochene Sprache",
    translated: "Übersetzt in",
    original: "Original",
    translation: "Übersetzung",
    untitled: "Ohne Titel",
    notes: "Notizen",
    colours: { yellow: "Gelb", green: "Grün", blue: "Blau", pink: "Rosa" },
    colon: ": ",
  },
  {
    language: "es",
    speaker: "Hablante",
    talkTime: "Tiempo de palabra",
    time: "Tiempo",
    date: "Fecha",
    length: "Duración",
    spoken: "Idioma hablado",
    translated: "Traducido a",
    original: "Original",
    translation: "Traducción",
    untitled: "Sin título",
    notes: "Notas",
    colours: { yellow: "amarillo", green: "verde", blue: "azul", pink: "rosa" },
    colon: ": ",
  },
  {
    language: "fr",
    speaker: "Intervenant",
    talkTime: "Temps de parole",
    time: "Temps",
    date: "Date",
    length: "Durée",
    spoken: "Langue parlée",
    translated: "Traduit en",
    original: "Original",
    translation: "Traduction",
    untitled: "Sans titre",
    notes: "Notes",
    colours: { yellow: "jaune", green: "vert", blue: "bleu", pink: "rose" },
    colon: "\u00a0: ",
  },
  {
    language: "pt-BR",
    speaker: "Falante",
    talkTime: "Tempo de fala",
    time: "Tempo",
    date: "Data",
    length: "Duração",
    spoken: "Idioma falado",
    translated: "Traduzido para",
    original: "Original",
    translation: "Tradução",
    untitled: "Sem título",
    notes: "Notas",
    colours: { yellow: "amarelo", green: "verde", blue: "azul", pink: "rosa" },
    colon: ": ",
  },
  {
    language: "nl",
    speaker: "Spreker",
    talkTime: "Spreektijd",
    time: "Tijd",
    date: "Datum",
    length: "Duur",
    spoken: "Gesproken taal",
    translated: "Vertaald naar",
    original: "Origineel",
    translation: "Vertaling",
    untitled: "Zonder titel",
    notes: "Notities",
    colours: { yellow: "geel", green: "groen", blue: "blauw", pink: "roze" },
    colon: ": ",
  },
  {
    language: "da",
    speaker: "Taler",
    talkTime: "Taletid",
    time: "Tid",
    date: "Dato",
    length: "Varighed",
    spoken: "Talt sprog",
    translated: "Oversat til",
    original: "Original",
    translation: "Oversættelse",
    untitled: "Uden titel",
    notes: "Noter",
    colours: { yellow: "gul", green: "grøn", blue: "blå", pink: "lyserød" },
    colon: ": ",
  },
];

/** In the interface language, or else in English. */
export function labelsFor(language: string): Labels {
  return all.find((labels) => labels.language === language) ?? english;
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
