import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import type { InPlace } from "#src/ui/editing-in-place.ts";
import type { NameReach } from "./row.ts";
import styles from "./segment.module.css";

/** Returns display names, because engines only number the speakers. */
export function useSpeakerName(): (speaker: string) => string {
  const { t } = useTranslation("app");
  return (speaker) => (/^\d+$/.test(speaker) ? t("transcript.speakers.numbered", { number: speaker }) : speaker);
}

/** The id of the list of known names. */
export const speakerList = "transcript-speakers";

const reachOf = (value: string | null | undefined): NameReach => (value === "everywhere" || value === "onward" ? value : "here");

interface SpeakerProps {
  speaker: string | undefined;
  /** Whether the name is visible. Otherwise the row's tools have a button to set it. */
  shown: boolean;
  editable: boolean;
  time: string;
  naming: InPlace;
  /** @param name null: removes the name */
  onName(name: string | null, reach: NameReach): void;
}

/** The speaker, with a field to correct the name here, from here on, or for all of this speaker's segments. */
export function Speaker({ speaker, shown, editable, time, naming, onName }: SpeakerProps) {
  const { t } = useTranslation("app");
  const nameOf = useSpeakerName();
  const { editing, begin, end, opener } = naming;
  const name = speaker === undefined ? "" : nameOf(speaker);
  if (editing) {
    return (
      <SpeakerForm
        speaker={speaker}
        name={name}
        onCancel={end}
        onName={(next, reach) => {
          end();
          onName(next, reach);
        }}
      />
    );
  }
  if (!shown) return null;
  if (!editable) return <span className={styles.speaker}>{name}</span>;
  const label = t("transcript.speakers.change", { name, time });
  return (
    <button type="button" ref={opener} className={styles.speaker} data-speaker aria-label={label} title={label} onClick={begin}>
      {name}
    </button>
  );
}

interface SpeakerFormProps extends Pick<SpeakerProps, "speaker" | "onName"> {
  name: string;
  onCancel(): void;
}

const select = (input: HTMLInputElement | null) => input?.select();

function SpeakerForm({ speaker, name, onName, onCancel }: SpeakerFormProps) {
  const { t } = useTranslation("app");
  return (
    <form
      className={`row ${styles.speakerForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent;
        const typed = String(new FormData(event.currentTarget).get("speaker") ?? "").trim();
        // An engine's "1" is shown as "Speaker 1", so saving that unchanged is no edit.
        const next = typed === name ? (speaker ?? null) : typed || null;
        onName(next, reachOf(submitter?.getAttribute("value")));
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <label>
        {t("transcript.speakers.label")}
        <input name="speaker" list={speakerList} defaultValue={name} maxLength={80} autoComplete="off" ref={select} />
      </label>
      {speaker === undefined ? (
        <Button type="submit" look="primary" value="here">
          {t("transcript.speakers.here")}
        </Button>
      ) : (
        <Button type="submit" look="primary" value="everywhere">
          {t("transcript.speakers.everywhere")}
        </Button>
      )}
      <Button type="submit" value="onward" title={t("transcript.speakers.onwardHint")}>
        {t("transcript.speakers.onward")}
      </Button>
      {speaker === undefined ? null : (
        <Button type="submit" value="here">
          {t("transcript.speakers.here")}
        </Button>
      )}
      <Button look="quiet" onClick={onCancel}>
        {t("transcript.cancelEdit")}
      </Button>
    </form>
  );
}

/** The indices of all segments that get a segment's new name. */
export function namedWith(segments: readonly Segment[], index: number, reach: NameReach): number[] {
  if (reach === "here") return [index];
  const speaker = segments[index]?.speaker;
  const from = reach === "onward" ? index : 0;
  return segments.flatMap((segment, other) => (segment.speaker === speaker && other >= from ? [other] : []));
}
