import { type Segment, talkTimes } from "#contract/index.ts";
import { type Labels, speakerName } from "./labels.ts";

/** The talk time of each speaker: "Ada 0:42 (63%), Speaker 2 0:25 (37%)"; "" without several speakers. */
export function talkTimeOf(segments: readonly Segment[], labels: Labels): string {
  const times = talkTimes(segments);
  const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
  if (times.length < 2 || total === 0) return "";
  const percent = new Intl.NumberFormat(labels.language, { style: "percent" });
  return times
    .map(({ speaker, seconds }) => `${speakerName({ speaker }, labels)} ${clock(seconds)} (${percent.format(seconds / total)})`)
    .join(", ");
}

/** A time such as "0:07" or "1:02:03". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
