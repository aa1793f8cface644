import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { InsightKind, InsightRequest } from "#contract/index.ts";
import {
  selectAskableAt,
  selectFailure,
  selectIsMaking,
  selectModel,
  selectPhase,
  selectPoints,
  selectProgress,
} from "#machines/insights/selectors.ts";
import { timeOfDay } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { OpenInsights } from "./actor.ts";

interface MakerProps {
  actor: OpenInsights["actor"];
  /** The request that the button sends; null: it is not complete yet. */
  request: InsightRequest | null;
  kind: InsightKind;
  /** The button's label. */
  label: string;
  /** Fields beside the button. */
  children?: ReactNode;
  /** Called when the request is sent. */
  onMake?: () => void;
}

/** Generates a result: starts and stops it, and shows its progress and outcome. */
export function Maker({ actor, request, kind, label, children, onMake }: MakerProps) {
  const { t, i18n } = useTranslation("insights");
  const model = useSelector(actor, selectModel);
  const making = useSelector(actor, selectIsMaking);
  const phase = useSelector(actor, (snapshot) => selectPhase(snapshot, kind));
  const failure = useSelector(actor, selectFailure);
  const until = useSelector(actor, selectAskableAt);
  if (model === null) return null;
  const isOwn = phase === "making";
  const make = () => {
    if (request === null || making) return;
    actor.send({ type: "insight.requested", request });
    onMake?.();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <div className="row bottom gap-3">
        {children}
        {isOwn ? (
          <Button
            key="button"
            icon="stop"
            onClick={(event) => {
              // The focused button becomes the submit button while it is still pressed. Without this, the press would
              // submit the form.
              event.preventDefault();
              actor.send({ type: "stop.requested" });
            }}
          >
            {t("stop")}
          </Button>
        ) : (
          <Button key="button" type="submit" look="primary" icon="sparkle" aria-disabled={making || request === null}>
            {label}
          </Button>
        )}
      </div>
      {making && !isOwn ? <p className="fine">{t("busy")}</p> : null}
      {isOwn ? <HowFar actor={actor} /> : null}
      <p className="visuallyHidden" role="status">
        {phase === "stopped" ? t("stopped") : phase === "made" ? t("made") : ""}
      </p>
      {phase === "failed" && failure !== null ? (
        <RetryNotice label={t("retry")} onRetry={request === null || making ? false : make}>
          {failure === "tooManyRequests" && until !== null
            ? t("askedTooOften", { time: timeOfDay(until, i18n.language) })
            : t(`errors.${failure}`)}
        </RetryNotice>
      ) : null}
      {phase === "stopped" ? <p className="fine">{t("stoppedHint")}</p> : null}
    </form>
  );
}

function HowFar({ actor }: Pick<MakerProps, "actor">) {
  const { t } = useTranslation("insights");
  const progress = useSelector(actor, selectProgress);
  const hasPoints = useSelector(actor, (snapshot) => selectPoints(snapshot).length > 0);
  const isLong = progress !== null && progress.total > 1;
  const isMerging = isLong && progress.done >= progress.total - 1;
  const text = !isLong
    ? t(hasPoints ? "writing" : "reading")
    : isMerging
      ? t("merging")
      : t("readingPart", { part: progress.done + 1, total: progress.total - 1 });
  return (
    <div className="stack">
      <p role="status">{text}</p>
      <Progress label={t("progress")} text={text} {...(isLong && { fraction: progress.done / progress.total })} />
    </div>
  );
}
