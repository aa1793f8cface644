import { useTranslation } from "react-i18next";
import { fileTitle, type Titled, type Transcription, type TranscriptionSummary, titleOf } from "#contract/index.ts";
import { dateTime } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";

type Shown = Titled & Pick<TranscriptionSummary, "origin">;
/** Returns the text for a key of the namespace `app`. */
type Say = (key: string) => string;

/**
 * A transcription's title, wherever it is shown. An unnamed one is called by its first words. Without words, by its
 * kind and date, in the user's language and time zone.
 * @param language of the interface
 */
export function shownTitle(item: Shown, say: Say, language: string): string {
  const said = titleOf(item);
  if (said !== "") return said;
  const when = dateTime(item.date, language);
  if (when === "") return say("history.untitled");
  return item.origin === null ? when : `${say(`history.${item.origin}`)}, ${when}`;
}

/**
 * The title of a file made from a transcription, without its extension. A name that a user has given is used unchanged.
 */
export function shownFileTitle(item: Shown, say: Say, language: string): string {
  return fileTitle(item, shownTitle(item, say, language), dayOf(item.date));
}

/** "2026-03-01" in the user's time zone; "" for no date. */
function dayOf(iso: string): string {
  const day = new Date(iso);
  // Sweden's date format equals ISO 8601.
  return Number.isNaN(day.getTime()) ? "" : day.toLocaleDateString("sv-SE");
}

/** A transcription's title in the current interface language, as in its heading. */
export const titleNow = (item: Shown): string => shownTitle(item, (key) => i18n.t(`app:${key}`), i18n.language);

/** The title of a file made from a transcription, without its extension; undefined: the server's title for it. */
export function fileTitleNow(transcription: Transcription | null): string | undefined {
  if (transcription === null) return undefined;
  const name = shownFileTitle(transcription, (key) => i18n.t(`app:${key}`), i18n.language);
  return name === transcription.title ? undefined : name;
}

/** A row's title, without date and time. */
export interface RowTitle {
  words: string;
  /** Number that tells rows with the same words in the same minute apart: 2, 3 and so on. 1 is not shown. */
  number: number;
}

/** Titles for the rows of a list, so that no two of them are alike. */
export function rowTitles(items: readonly TranscriptionSummary[], say: Say): ReadonlyMap<string, RowTitle> {
  const titles = new Map<string, RowTitle>();
  const numbers = new Map<string, number>();
  for (const item of items.toSorted((one, other) => (one.date + one.id < other.date + other.id ? -1 : 1))) {
    const words = titleOf(item) || say(`history.${item.origin ?? "untitled"}`);
    const key = `${item.date.slice(0, "2026-03-01T10:00".length)} ${words}`;
    const number = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, number);
    titles.set(item.id, { words, number });
  }
  return titles;
}

/** "A talk, 1 Mar 2026, 10:00 (2)" @param language of the interface */
export function wholeTitle({ words, number }: RowTitle, iso: string, language: string): string {
  const title = [words, dateTime(iso, language)].filter((part) => part !== "").join(", ");
  return number === 1 ? title : `${title} (${number})`;
}

export function useShownTitle(): (item: Shown) => string {
  const { t, i18n } = useTranslation("app");
  return (item) => shownTitle(item, t, i18n.language);
}
