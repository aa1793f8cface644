import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Transcription } from "#contract/index.ts";
import {
  selectIsCompleted,
  selectIsMissing,
  selectIsRetrying,
  selectProcessed,
  selectProcessingFailure,
  selectUnreachable,
} from "#machines/uploads/processing.ts";
import { UpgradeLink, useFits } from "#src/features/subscription/upgrade-link.tsx";
import { JobProgress } from "#src/features/transcriptions/job-progress.tsx";
import { canRetry, retryKey } from "#src/features/transcriptions/problem.ts";
import { useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { Why } from "#src/features/transcriptions/why.tsx";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import type { Processing } from "./processing-actor.ts";
import { SegmentsSoFar } from "./segments-so-far.tsx";
import { Steps } from "./steps.tsx";

/** The progress of one transcription's job. */
export function ProcessingPage({ processing }: { processing: Processing }) {
  const { t } = useTranslation("uploads");
  const transcription = useSelector(processing, selectProcessed);
  const missing = useSelector(processing, selectIsMissing);
  const unreachable = useSelector(processing, selectUnreachable);
  if (missing) {
    return (
      <MessageScreen
        title={t("app:transcript.missing")}
        text={t("app:transcript.missingText")}
        action={<ToHistory look="primary" />}
      />
    );
  }
  if (transcription !== null) return <Made processing={processing} transcription={transcription} />;
  if (unreachable === null) return <LoadingScreen message={t("app:transcript.loading")} />;
  return (
    <MessageScreen
      title={t("app:transcript.failed")}
      text={t([`errors.${unreachable}`, "errors.internal"])}
      action={
        <Button look="primary" icon="retry" onClick={() => processing.send({ type: "reload.requested" })}>
          {t("app:transcript.reload")}
        </Button>
      }
    />
  );
}

function ToHistory({ look }: { look: "primary" | "quiet" }) {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass(look)} to="/dashboard">
      {t("nav.dashboard")}
    </Link>
  );
}

function Made({ processing, transcription }: { processing: Processing; transcription: Transcription }) {
  const { t } = useTranslation("uploads");
  const completed = useSelector(processing, selectIsCompleted);
  const failure = useSelector(processing, selectProcessingFailure);
  const isWorking = !completed && failure === null;
  const title = useShownTitle()(transcription);
  return (
    <Page title={title} lead={isWorking ? t("processing.safe") : ""} actions={<ToHistory look="quiet" />}>
      <div
        className="card pad-wide stack gap-4"
        data-testid="processing"
        data-state={completed ? "completed" : isWorking ? "working" : "failed"}
      >
        {failure === null ? <Steps transcription={transcription} completed={completed} /> : null}
        {isWorking ? <JobProgress progress={transcription.progress} title={title} /> : null}
        {completed ? <Finished transcription={transcription} /> : null}
        {failure === null ? null : <Failed processing={processing} transcription={transcription} code={failure} />}
      </div>
      <SegmentsSoFar transcription={transcription} isWorking={isWorking} />
    </Page>
  );
}

/** Focuses the link to the result, unless another element has the focus. */
function focusWayOn(button: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body || activeElement instanceof HTMLHeadingElement) button?.focus();
}

function Finished({ transcription }: { transcription: Transcription }) {
  const { t } = useTranslation("uploads");
  const navigate = useNavigate();
  const { id, error } = transcription;
  return (
    <>
      <p role="status">
        {t("processing.finished")}
        {error?.code ? ` ${t([`errors.${error.code}`, "errors.internal"])}` : ""}
      </p>
      <div className="row">
        <Button
          ref={focusWayOn}
          look="primary"
          onClick={() => navigate({ to: "/transcription/$id", params: { id }, replace: true })}
        >
          {t("app:uploads.open")}
        </Button>
      </div>
    </>
  );
}

function Another({ origin }: Pick<Transcription, "origin">) {
  const { t } = useTranslation("uploads");
  const fetched = origin === "url";
  return (
    <Link className={buttonClass("secondary")} to={fetched ? "/url-transcription-config" : "/file-upload-config"}>
      {t(fetched ? "url.another" : "processing.another")}
    </Link>
  );
}

interface FailedProps {
  processing: Processing;
  transcription: Transcription;
  code: string;
}

function Failed({ processing, transcription, code }: FailedProps) {
  const { t } = useTranslation("app");
  const retrying = useSelector(processing, selectIsRetrying);
  const fits = useFits(transcription.durationSeconds);
  return (
    <Notice
      tone="danger"
      actions={
        <>
          <UpgradeLink code={code} seconds={transcription.durationSeconds} />
          {canRetry(transcription) || retrying ? (
            <Button icon="retry" busy={retrying} onClick={() => processing.send({ type: "retry.requested" })}>
              {t(retryKey(code, fits))}
            </Button>
          ) : (
            <Another origin={transcription.origin} />
          )}
        </>
      }
    >
      <Why transcription={transcription} code={code} />
    </Notice>
  );
}
