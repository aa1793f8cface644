import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import { dateTime } from "#src/i18n/format.ts";

type Titled = Pick<TranscriptionSummary, "title" | "origin" | "date">;

/** As servers title what has neither words nor a name: the time, in UTC. */
const isTime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;

/**
 * A transcription's title wherever it is shown. One that nobody has named and that has no words is called by what it is and when it was made,
 * in the person's own language and time.
 * @param say the text of a key of the namespace `app` @param language of the interface
 */
export function shownTitle({ title, origin, date }: Titled, say: (key: string) => string, language: string): string {
  if (title !== "" && !isTime.test(title)) return title;
  const when = dateTime(date, language);
  if (when === "") return title || say("history.untitled");
  return origin === null ? when : `${say(`history.${origin}`)}, ${when}`;
}

export function useShownTitle(): (item: Titled) => string {
  const { t, i18n } = useTranslation("app");
  return (item) => shownTitle(item, t, i18n.language);
}
