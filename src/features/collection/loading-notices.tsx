import { useSelector } from "@xstate/react";
import { type LoadingEvent, type LoadingShown, selectHasFailed, selectIsLoading } from "#machines/collection/loading.ts";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { ActorWith } from "./actor.ts";

interface LoadingNoticesProps {
  actor: ActorWith<LoadingShown, LoadingEvent>;
  texts: Record<"loading" | "failed" | "retry", string>;
}

/** Shown until the data is loaded: the progress, or the failure. */
export function LoadingNotices({ actor, texts }: LoadingNoticesProps) {
  const loading = useSelector(actor, selectIsLoading);
  const failed = useSelector(actor, selectHasFailed);
  if (loading) return <p role="status">{texts.loading}</p>;
  if (!failed) return null;
  return (
    <RetryNotice label={texts.retry} onRetry={() => actor.send({ type: "reload.requested" })}>
      {texts.failed}
    </RetryNotice>
  );
}
