import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { type ExportContent, exportContents } from "#contract/index.ts";
import { selectCaptioned, selectIsAsking, selectIsMaking, selectRefusal } from "#machines/video/selectors.ts";
import { dateTime, percent } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Menu } from "#src/ui/menu.tsx";
import { Progress } from "#src/ui/progress.tsx";
import type { OpenVideo } from "./actor.ts";
import styles from "./video.module.css";

/**
 * Downloads of a video: subtitles as files, and the video with captions in its picture.
 * @param props.up the menu opens above its button, because the player may be below it
 */
export function CaptionedVideo({ open, up }: { open: OpenVideo; up: boolean }) {
  const { t } = useTranslation("video");
  const { captioned, stage } = open;
  const asking = useSelector(captioned, selectIsAsking);
  const making = useSelector(captioned, selectIsMaking);
  const translated = stage.languages().translated !== null;
  const contents: readonly ExportContent[] = translated ? exportContents : ["original"];
  return (
    <>
      <Menu label={t("save")} icon="download" busy={asking} up={up}>
        <Button look="quiet" onClick={() => captioned.send({ type: "subtitles.requested" })}>
          {t(translated ? "subtitlePair" : "subtitles")}
        </Button>
        {contents.map((content) => (
          <Button
            key={content}
            look="quiet"
            aria-disabled={making || undefined}
            onClick={() => captioned.send({ type: "video.requested", content })}
          >
            {t(`captioned.${content}`)}
          </Button>
        ))}
      </Menu>
      <Made open={open} />
    </>
  );
}

/** The progress of the captioned video, and its download. */
function Made({ open: { captioned } }: { open: OpenVideo }) {
  const { t, i18n } = useTranslation("video");
  const video = useSelector(captioned, selectCaptioned);
  const refusal = useSelector(captioned, selectRefusal);
  const making = useSelector(captioned, selectIsMaking);
  const expires = video?.expiresAt ?? null;
  const drop = () => captioned.send({ type: "video.dropped" });
  const said = () => {
    if (video === null) return null;
    if (video.state === "failed") return t(`captionedProblems.${video.problem ?? "unreadable"}`);
    if (making)
      return t(video.state === "waiting" ? "captionedWaits" : "captionedMaking", {
        percent: percent(video.fraction, i18n.language),
      });
    return expires === null ? null : t("captionedReady", { time: dateTime(expires, i18n.language) });
  };
  return (
    <div className={`stack gap-2 fill ${styles.made}`}>
      {making ? (
        <Progress label={t("captionedProgress")} fraction={video?.state === "making" ? video.fraction : undefined} />
      ) : null}
      <p className="roomless fine" role="status">
        {said()} {video !== null && video.undrawn > 0 ? t("undrawn", { count: video.undrawn }) : null}
      </p>
      {refusal === null ? null : (
        <p className="roomless fine" role="alert">
          {t(`translation:errors.${refusal}`)}
        </p>
      )}
      {video === null ? null : (
        <div className="row bottom">
          {video.state === "ready" ? (
            <Button look="primary" icon="download" onClick={() => captioned.send({ type: "download.requested" })}>
              {t("download")}
            </Button>
          ) : null}
          <Button icon={making ? "stop" : "trash"} onClick={drop}>
            {t(making ? "stop" : "remove")}
          </Button>
        </div>
      )}
    </div>
  );
}
