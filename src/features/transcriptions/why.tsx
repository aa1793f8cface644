import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { statusOf, type TranscriptionSummary } from "#contract/index.ts";
import { selectMinutesLeft } from "#machines/subscription/usage.ts";
import { useFits } from "#src/features/subscription/upgrade-link.tsx";
import { openUsage } from "#src/features/subscription/usage.ts";
import { clock, minutes } from "#src/i18n/format.ts";
import { problemKeys } from "./problem.ts";

interface WhyProps {
  transcription: Pick<TranscriptionSummary, "status" | "origin" | "durationSeconds">;
  /** The contract's error code. */
  code: string;
}

/**
 * Explains why a file failed or what its text lacks. For a file that was too long: its length and the remaining
 * minutes, or that they suffice by now.
 */
export function Why({ transcription: { status, origin, durationSeconds }, code }: WhyProps) {
  const { t, i18n } = useTranslation("app");
  const left = useSelector(openUsage(), selectMinutesLeft);
  const fits = useFits(durationSeconds);
  const known = statusOf(status);
  if (known !== "failed" || code !== "limitReached") return t(problemKeys(code, known, origin));
  if (fits) return t("uploads.problem.limitWas");
  if (durationSeconds === null || left === null) return t(problemKeys(code, known, origin));
  const facts = { length: clock(durationSeconds), left: minutes(left, i18n.language) };
  return t("uploads.problem.limitLength", facts);
}
