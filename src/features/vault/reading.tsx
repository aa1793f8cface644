import { useLocation } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { type MouseEvent, useCallback, useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { textFormats } from "#contract/exports/text-formats.ts";
import type { Transcription, VaultItem } from "#contract/index.ts";
import { marksIn } from "#contract/search/marks.ts";
import { wantedIn } from "#contract/search/wanted.ts";
import { lookOf } from "#machines/exports/rules.ts";
import { selectIsExporting } from "#machines/transcription/output.ts";
import { selectEdited, selectIsTextFetching, selectTextFailure } from "#machines/vault/reading.ts";
import { exportChoice } from "#src/features/exports/choice.ts";
import { offsetAt, timeAt } from "#src/features/transcription/caret.ts";
import { usePlayedIndex } from "#src/features/transcription/played.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { Button } from "#src/ui/button.tsx";
import { Menu } from "#src/ui/menu.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { OpenVault } from "./actor.ts";
import { useCanAdd } from "./closed.tsx";
import { VaultPassage } from "./passage.tsx";
import { problemKey } from "./problem.ts";
import type { VaultReading } from "./reading-actor.ts";
import { TranslateText } from "./translate-text.tsx";
import styles from "./vault.module.css";

interface ReadingProps {
  vault: OpenVault;
  item: VaultItem;
  /** null: the audio is not open. */
  player: Player | null;
}

/** The text of a recording. It opens by itself, because it is small. */
export function Reading({ vault, item, player }: ReadingProps) {
  const { t } = useTranslation("vault");
  const reading = vault.readings.of(item.id);
  const text = useSyncExternalStore(reading.text.subscribe, reading.text.get);
  const fetching = useSelector(reading.actor, selectIsTextFetching);
  const failure = useSelector(reading.actor, selectTextFailure);
  const canChange = useCanAdd();
  const open = useCallback(
    (_: HTMLElement | null) => {
      reading.actor.send({ type: "open.requested" });
      return () => reading.actor.send({ type: "close.requested" });
    },
    [reading],
  );
  return (
    <div ref={open} className="stack gap-4" aria-busy={fetching || undefined}>
      <p className="soft roomless" role="status">
        {fetching ? t("reading.fetching") : ""}
      </p>
      {failure === null ? null : (
        <RetryNotice label={t("again")} onRetry={() => reading.actor.send({ type: "retry.requested" })}>
          {t("reading.failed")} {t(problemKey(failure))}
        </RetryNotice>
      )}
      {text === null || !canChange ? null : (
        <TranslateText translators={vault.translators} translation={reading.translation} text={text} />
      )}
      {text === null ? null : <Passages vault={vault} item={item} player={player} text={text} />}
    </div>
  );
}

/** Passages with their times. A click on a time or word plays from there. */
function Passages({ vault, item, player, text }: ReadingProps & { text: Transcription }) {
  const { t } = useTranslation("vault");
  const { segments, sourceLanguage, targetLanguage } = text;
  const reading = vault.readings.of(item.id);
  const edited = useSelector(reading.actor, selectEdited);
  const editable = useCanAdd();
  const place = useSoughtPlace(vault);
  const now = usePlayedIndex(segments, player?.position);
  const play = useCallback((seconds: number) => vault.items.play(item.id, seconds), [vault, item.id]);
  if (segments.length === 0)
    return <p className="measure size-3 reading as-written">{text.text === "" ? t("text.empty") : text.text}</p>;
  const press = ({ target, clientX, clientY }: MouseEvent) => {
    const shown = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
    const segment = segments[Number(shown?.dataset.index ?? -1)];
    // A drag over the text selects it, so it is not a press.
    if (shown === null || segment === undefined || getSelection()?.isCollapsed === false) return;
    play(timeAt(segment, { selectionStart: offsetAt(shown, segment.text, clientX, clientY) }));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard, the button with its time plays a passage.
    <ol className={`size-3 reading ${styles.text}`} aria-label={t("text.title")} onClick={press}>
      {segments.map((segment, index) => (
        <VaultPassage
          key={segment.start}
          reading={reading}
          segment={segment}
          index={index}
          language={sourceLanguage}
          targetLanguage={targetLanguage}
          position={index === now ? player?.position : undefined}
          sought={segment.start === place.start ? place.marks : undefined}
          editable={editable}
          edited={index === edited}
          onPlay={play}
        />
      ))}
    </ol>
  );
}

/** The passage that the search has found. It is in the address's hash, so that no server receives it on a reload. */
function useSoughtPlace({ search }: OpenVault) {
  const start = useLocation({ select: ({ hash }) => Number(new URLSearchParams(hash).get("t") ?? Number.NaN) });
  const query = useSyncExternalStore(search.query.subscribe, search.query.get);
  return useMemo(() => ({ start, marks: (said: string) => marksIn(said, "", wantedIn("", query)) }), [start, query]);
}

/** Saves the text as a file made in the page, with the look of the last one. */
export function SaveAs({ reading: { text, output } }: { reading: VaultReading }) {
  const { t } = useTranslation("app");
  const isThere = useSyncExternalStore(text.subscribe, text.get) !== null;
  const exporting = useSelector(output, selectIsExporting);
  const choice = useSyncExternalStore(exportChoice.subscribe, exportChoice.get);
  if (!isThere) return null;
  return (
    <Menu label={t("transcript.export")} icon="download" busy={exporting}>
      {textFormats.map((format) => (
        <Button
          key={format}
          look="quiet"
          onClick={() => output.send({ type: "export.requested", format, content: "both", look: lookOf(choice, format) })}
        >
          {t(`transcript.formats.${format}`)}
        </Button>
      ))}
    </Menu>
  );
}
