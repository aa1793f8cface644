import { type ComponentType, type KeyboardEvent, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Transcription } from "#contract/index.ts";
import type { Notes } from "#src/features/notes/actor.ts";
import { NotesPanel } from "#src/features/notes/layer.tsx";
import { awaitedPart } from "#src/ui/lazy-part.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { OpenTranscription } from "./actor.ts";
import { leaving } from "./player.ts";
import { playFrom } from "./reading-place.ts";
import { TalkTimes, WhoSpoke } from "./speakers.tsx";
import styles from "./transcript.module.css";

/** Loaded when the user opens it. */
const InsightsPanel = awaitedPart(async () => (await import("#src/features/insights/panel.tsx")).InsightsPanel, "insights");

/** The panels that open beside the text, one at a time. */
export type DrawerContent = "insights" | "sharing" | "notes" | "speakers";

/** Ids of the buttons that open the panels. The focus returns to them. */
export const openerIds = { menu: "transcript-actions", sharing: "sharing-button" } as const;

/**
 * The panel that shows who has access. Passed as a prop, because the sharing feature's visitor pages use this page's
 * parts.
 */
export type SharingPanel = ComponentType<{
  id: string;
  onLeave(left: () => void): void;
  onClose(): void;
  has: { audio: boolean; translation: boolean };
}>;

interface DrawerProps {
  content: DrawerContent;
  open: OpenTranscription;
  transcription: Transcription;
  title: string;
  notes: Notes | undefined;
  /** Whether the server can identify the speakers. */
  diarizes: boolean;
  sharingPanel: SharingPanel;
  onClose(): void;
}

/** A panel beside the text, or on a phone over its lower part. The text stays visible. Escape closes the panel. */
export function Drawer({ content, onClose, ...props }: DrawerProps) {
  const { t } = useTranslation("app");
  const close = () => {
    onClose();
    document.getElementById(content === "sharing" ? openerIds.sharing : openerIds.menu)?.focus();
  };
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    // The first Escape leaves a form or menu inside the panel.
    if (key === "Escape" && target instanceof Element && target.closest("form, dialog, details[open]") === null) close();
  };
  return (
    <aside className={styles.drawer} data-content={content} onKeyDown={onKeyDown}>
      <Suspense fallback={<p role="status">{content === "speakers" ? "" : t(`transcript.${content}.loading`)}</p>}>
        <Content content={content} {...props} onClose={close} />
      </Suspense>
    </aside>
  );
}

function Content({ content, open, transcription, title, notes, diarizes, sharingPanel: Sharing, onClose }: DrawerProps) {
  const { t } = useTranslation("app");
  const { hasAudio, segments, targetLanguage, filed } = transcription;
  // Plays from a time, or shows the passage if there is no audio.
  const playing = { play: (seconds: number) => playFrom(open, hasAudio, seconds), hasAudio };
  const page = { id: open.id, onLeave: leaving(open), onClose };
  if (content === "insights")
    return <InsightsPanel {...page} title={title} folderId={filed?.folderId ?? null} playing={playing} />;
  if (content === "sharing") return <Sharing {...page} has={{ audio: hasAudio, translation: targetLanguage !== null }} />;
  if (content === "notes") return notes && <NotesPanel notes={notes} segments={segments} playing={playing} onClose={onClose} />;
  return (
    <Panel className="gap-4" title={t("transcript.speakers.title")} closeLabel={t("transcript.speakers.close")} onClose={onClose}>
      <TalkTimes segments={segments} />
      {diarizes ? <WhoSpoke actor={open.actor} transcription={transcription} /> : null}
    </Panel>
  );
}
