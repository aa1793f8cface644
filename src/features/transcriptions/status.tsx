import { useTranslation } from "react-i18next";
import type { TranscriptionStatus } from "#contract/index.ts";
import { Badge } from "#src/ui/badge.tsx";

const tones = { pending: "accent", processing: "accent", failed: "danger", completed: "good" } as const;

/** A transcription's status as a colored label. */
export function Status({ status }: { status: TranscriptionStatus }) {
  const { t } = useTranslation("app");
  return <Badge tone={tones[status]}>{t(`status.${status}`)}</Badge>;
}
