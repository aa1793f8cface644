import { useTranslation } from "react-i18next";
import { fileTitle, type Titled, type TranscriptionSummary, titleOf } from "#contract/index.ts";
import { dateTime } from "#src/i18n/format.ts";

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

export function useShownTitle(): (item: Shown) => string {
  const { t, i18n } = useTranslation("app");
  return (item) => shownTitle(item, t, i18n.language);
}
