import { useTranslation } from "react-i18next";
import { fileTitle, type Titled, type Transcription, type TranscriptionSummary, titleOf } from "#contract/index.ts";
import { dateTime } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";

type Shown = Titled & Pick<TranscriptionSummary, "origin">;
/** The text of a key of the namespace `app`. */
type Say = (key: string) => string;

/**
 * A transcription's title wherever it is shown. One that nobody has named is called by its first words, and without words by what it is and when
 * it was made, in the person's own language and time.
 * @param language of the interface
 */
export function shownTitle(item: Shown, say: Say, language: string): string {
  const said = titleOf(item);
  if (said !== "") return said;
  const when = dateTime(item.date, language);
  if (when === "") return say("history.untitled");
  return item.origin === null ? when : `${say(`history.${item.origin}`)}, ${when}`;
}

/** What a file of it is called, without its ending. A name that a person has given is the name. */
export function shownFileTitle(item: Shown, say: Say, language: string): string {
  return fileTitle(item, shownTitle(item, say, language), dayOf(item.date));
}

/** "2026-03-01", where the person is; "" for no date. */
function dayOf(iso: string): string {
  const day = new Date(iso);
  // Swedish dates are ISO 8601's.
  return Number.isNaN(day.getTime()) ? "" : day.toLocaleDateString("sv-SE");
}

/** What a transcription is called in the interface's language, as its heading calls it. */
export const titleNow = (item: Shown): string => shownTitle(item, (key) => i18n.t(`app:${key}`), i18n.language);

/** What a file of it is called, without its ending; undefined: as it is titled, which the server knows. */
export function fileTitleNow(transcription: Transcription | null): string | undefined {
  if (transcription === null) return undefined;
  const name = shownFileTitle(transcription, (key) => i18n.t(`app:${key}`), i18n.language);
  return name === transcription.title ? undefined : name;
}

/** What a row of a list is called, before its date and time. */
export interface RowTitle {
  words: string;
  /**
   * Behind its time, to tell it from an earlier one with the same words of the same minute: 2, 3 and so on. 1 is not
   * shown.
   */
  number: number;
}

/** What the rows of a list are called: no two of them alike. */
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
