import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import { selectTranscription } from "#machines/transcription/selectors.ts";
import { isMac, keyShortcut, withOurs } from "#src/features/shortcuts/keys.ts";
import { clock } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import type { OpenTranscription } from "./actor.ts";
import { unsureBeside, unsureWords } from "./marks.ts";
import segmentStyles from "./segment.module.css";
import styles from "./transcript.module.css";

/** Goes to the next or previous unsure word: scrolls to it, focuses its segment, and seeks the player. */
export function goToUnsure({ actor, place, player }: OpenTranscription, step: 1 | -1): void {
  const transcription = selectTranscription(actor.getSnapshot());
  const words = unsureWords(transcription?.segments ?? []);
  const here = place.get();
  const word = words[unsureBeside(words, here === null ? { index: place.top } : { index: here.index, start: here.word }, step)];
  if (word === undefined) return;
  place.show({ index: word.index, word: word.start, focus: "edit" });
  if (transcription?.hasAudio) player.actor.send({ type: "seek.requested", seconds: word.start });
}

/** Confirms the current unsure word: removes its mark and goes to the next one. */
export function confirmWord(open: OpenTranscription): void {
  const { actor, place } = open;
  const here = place.get();
  const words = unsureWords(selectTranscription(actor.getSnapshot())?.segments ?? []);
  const word = words.find(({ index, start }) => index === here?.index && start === here.word);
  if (word === undefined) return;
  actor.send({ type: "word.confirmed", start: word.start, text: word.text });
  // After the last word the legend disappears, so the focus moves to the word's row.
  if (words.length === 1) place.show({ index: word.index, focus: "edit" });
  else goToUnsure(open, 1);
}

interface LegendProps {
  open: OpenTranscription;
  segments: readonly Segment[];
  editable: boolean;
}

/** Explains the dotted marks, with buttons that go from one to the next. */
export function Legend({ open, segments, editable }: LegendProps) {
  const { t } = useTranslation("app");
  const words = useMemo(() => unsureWords(segments), [segments]);
  const place = useSyncExternalStore(open.place.subscribe, open.place.get);
  if (words.length === 0) return null;
  const mac = isMac();
  const current = place === null ? -1 : words.findIndex(({ index, start }) => index === place.index && start === place.word);
  const word = words[current];
  const go = (step: 1 | -1) => goToUnsure(open, step);
  return (
    <div className={`facts ${styles.legend}`}>
      <span>
        <span className={segmentStyles.unsure}>{t("transcript.unsureMark")}</span>{" "}
        <span className={styles.unsure}>{t("transcript.unsureLegend", { number: words.length })}</span>
      </span>
      <span className="line gap-0">
        <IconButton
          icon="up"
          label={t("transcript.previousUnsure")}
          title={`${t("transcript.previousUnsure")} (${withOurs("Shift+U", mac)})`}
          aria-keyshortcuts={`${keyShortcut("Shift+U", mac)}`}
          onClick={() => go(-1)}
        />
        <IconButton
          icon="down"
          label={t("transcript.nextUnsure")}
          title={`${t("transcript.nextUnsure")} (${withOurs("U", mac)})`}
          aria-keyshortcuts={keyShortcut("U", mac)}
          onClick={() => go(1)}
        />
        {editable && word !== undefined ? (
          <Button
            icon="check"
            look="quiet"
            title={withOurs("O", mac)}
            aria-keyshortcuts={keyShortcut("O", mac)}
            onClick={() => confirmWord(open)}
          >
            {t("transcript.confirmWord")}
          </Button>
        ) : null}
      </span>
      <span role="status">
        {word === undefined
          ? ""
          : t("transcript.unsureAt", {
              word: word.text,
              current: current + 1,
              number: words.length,
              time: clock(segments[word.index]?.start ?? 0),
            })}
      </span>
    </div>
  );
}
