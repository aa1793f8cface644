import { useSelector } from "@xstate/react";
import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { CaptionsChoice } from "#machines/video/rules.ts";
import {
  selectCaptions,
  selectHasNoCaptions,
  selectIsAbsent,
  selectIsBeingMade,
  selectIsHidden,
  selectIsThere,
  selectPicture,
} from "#machines/video/selectors.ts";
import { percent } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { type OpenVideo, openVideo } from "./actor.ts";
import { CaptionedVideo } from "./captioned.tsx";
import type { Stage } from "./screen.ts";
import styles from "./video.module.css";

interface VideoPanelProps {
  id: string;
  stage: Stage;
  /** Receives a function to call when the user leaves the transcript's page. */
  onLeave(left: () => void): void;
}

/** A recording's picture with its actions. Renders nothing if the recording turns out to have none. */
export function VideoPanel({ id, stage, onLeave }: VideoPanelProps) {
  const { t } = useTranslation("video");
  const open = openVideo(id, onLeave, stage);
  const hidden = useSelector(open.actor, selectIsHidden);
  if (useSelector(open.actor, selectIsAbsent)) return null;
  return (
    <section className={`stack compact gap-2 ${styles.video}`} aria-label={t("label")} data-picture={hidden ? "hidden" : "shown"}>
      <Picture open={open} hidden={hidden} />
      <div className="row bottom">
        {hidden ? null : <CaptionsMenu open={open} />}
        <Button
          icon={hidden ? "eye" : "eyeOff"}
          aria-pressed={hidden}
          onClick={() => open.actor.send({ type: "picture.toggled" })}
        >
          {t("hide")}
        </Button>
        <CaptionedVideo open={open} up={!hidden} />
      </div>
    </section>
  );
}

/** A hidden picture stays mounted, so that its sound continues. */
function Picture({ open: { actor, stage }, hidden }: { open: OpenVideo; hidden: boolean }) {
  const { t, i18n } = useTranslation("video");
  const shown = useSyncExternalStore(stage.screen.subscribe, stage.screen.get);
  const picture = useSelector(actor, selectPicture);
  const making = useSelector(actor, selectIsBeingMade);
  const there = useSelector(actor, selectIsThere);
  const element = shown === "unplayable" ? null : shown;
  const attach = useCallback(
    (place: HTMLDivElement | null) => {
      if (place !== null && element !== null) place.replaceChildren(element);
    },
    [element],
  );
  const isEmpty = element === null && !making && (shown === "unplayable" || picture.state === "failed");
  return (
    <>
      <div className={styles.screen} ref={attach} hidden={hidden || isEmpty || making} data-waits={!there || undefined} />
      {making ? <Progress label={t("progress")} fraction={picture.state === "making" ? picture.fraction : undefined} /> : null}
      <p className="roomless fine" role="status">
        {making
          ? t(picture.state === "making" ? "preparing" : "waiting", { percent: percent(picture.fraction, i18n.language) })
          : null}
        {shown === "unplayable" ? t("unplayable") : null}
        {picture.state === "failed" ? `${t(`problems.${picture.problem ?? "unreadable"}`)} ${t("soundStays")}` : null}
      </p>
    </>
  );
}

const choices: readonly CaptionsChoice[] = ["none", "original", "translation", "both"];

function CaptionsMenu({ open: { actor, stage } }: { open: OpenVideo }) {
  const { t } = useTranslation("video");
  const chosen = useSelector(actor, selectCaptions);
  const missing = useSelector(actor, selectHasNoCaptions);
  const offered = stage.languages().translated === null ? choices.slice(0, 2) : choices;
  // The choice may come from another video. Without a translation, all texts are in the original language.
  const value = offered.includes(chosen) ? chosen : "original";
  return (
    <>
      <SelectField
        label={t("captionsLabel")}
        value={value}
        onChange={(event) => {
          const captions = choices.find((choice) => choice === event.target.value);
          if (captions !== undefined) actor.send({ type: "captions.chosen", captions });
        }}
      >
        <Options of={offered.map((choice) => [choice, t(`captions.${choice}`)])} />
      </SelectField>
      {missing ? (
        <p className="roomless fine" role="alert">
          {t("captionsFailed")}{" "}
          <Button look="quiet" icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
            {t("retry")}
          </Button>
        </p>
      ) : null}
    </>
  );
}
