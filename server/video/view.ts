import { type CaptionedVideo, captionedMs, type VideoAnswer, type VideoPicture } from "#contract/index.ts";
import type { VideoRow } from "./queries.ts";

/** What there is of a video, as its owner is told. */
export function viewVideo(rows: readonly VideoRow[]): VideoAnswer {
  const picture = rows.find(({ kind }) => kind === "picture");
  const captioned = rows.find(({ kind }) => kind === "captioned");
  return { picture: viewPicture(picture), captioned: captioned === undefined ? null : viewCaptioned(captioned) };
}

function viewPicture(row: VideoRow | undefined): VideoPicture {
  if (row === undefined) return { state: "none", fraction: 0, problem: null };
  return { state: row.state, fraction: row.fraction, problem: row.problem };
}

function viewCaptioned({ state, content, fraction, problem, undrawn, finished_at }: VideoRow): CaptionedVideo | null {
  if (state === "none" || state === "original" || content === null) return null;
  const expiresAt = state === "ready" && finished_at !== null ? new Date(finished_at + captionedMs).toISOString() : null;
  return { state, content, fraction, problem, undrawn, expiresAt };
}
