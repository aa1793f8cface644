import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import styles from "./segment.module.css";

/** Display name: engines only number the speakers. */
export function useSpeakerName(): (speaker: string) => string {
  const { t } = useTranslation("app");
  return (speaker) => (/^\d+$/.test(speaker) ? t("transcript.speakers.numbered", { number: speaker }) : speaker);
}

/** The id of the list of known names. */
export const speakerList = "transcript-speakers";

/** Which passages get a name: all of this speaker, those from here on, or this one. */
export type NameReach = "everywhere" | "onward" | "here";

const reachOf = (value: string | null | undefined): NameReach => (value === "everywhere" || value === "onward" ? value : "here");

interface SpeakerProps {
  speaker: string | undefined;
  /** Whether the name is shown; else only the button to set it. */
  shown: boolean;
  editable: boolean;
  time: string;
  /** null: removes the name. */
  onName(name: string | null, reach: NameReach): void;
}

/** The speaker, and the field to correct it: here, from here on, or for all segments of this speaker. */
export function Speaker({ speaker, shown, editable, time, onName }: SpeakerProps) {
  const { t } = useTranslation("app");
  const nameOf = useSpeakerName();
  const { editing, begin, end, opener } = useEditingInPlace();
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
  if (!editable) return shown ? <span className={styles.speaker}>{name}</span> : null;
  if (!shown) {
    const label = t("transcript.speakers.set", { time });
    return <IconButton ref={opener} className={styles.setSpeaker} icon="users" label={label} onClick={begin} />;
  }
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
      className={styles.speakerForm}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent;
        const typed = String(new FormData(event.currentTarget).get("speaker") ?? "").trim();
        // An engine's "1" is shown as "Speaker 1": saving that unchanged is no edit.
        const next = typed === name ? (speaker ?? null) : typed || null;
        onName(next, reachOf(submitter?.getAttribute("value")));
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <input
        name="speaker"
        aria-label={t("transcript.speakers.label")}
        list={speakerList}
        defaultValue={name}
        maxLength={80}
        autoComplete="off"
        ref={select}
      />
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

/** The segments that get the name that is given to one of them. */
export function namedWith(segments: readonly Segment[], index: number, reach: NameReach): number[] {
  if (reach === "here") return [index];
  const speaker = segments[index]?.speaker;
  const from = reach === "onward" ? index : 0;
  return segments.flatMap((segment, other) => (segment.speaker === speaker && other >= from ? [other] : []));
}
