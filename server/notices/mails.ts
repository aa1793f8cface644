import { sendEmail } from "#server/account/emails.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { noticeMailPace, type Throttle } from "#server/session/throttle.ts";
import { findNoticeSettings, findWaitedSince } from "./queries.ts";

/** What took no longer was waited for in front of the page (milliseconds). */
const longMs = 2 * 60_000;

interface Parts extends DbParts {
  origins: Origins;
  outbox: Outbox;
  throttle: Throttle;
}

/** A transcription that was completed or has failed. */
interface Ending {
  user_id: string;
  transcription_id: string;
  event: string;
}

/** Writes the mail that a person wants once something long has ended: a link, and nothing that was said. @param at when, epoch ms */
export async function mailNotice(parts: Parts, { user_id, transcription_id, event }: Ending, at: number): Promise<void> {
  const { db, throttle } = parts;
  const isDone = event === "transcription.completed";
  const wanted = await findNoticeSettings(db, user_id);
  if (!(isDone ? wanted.completed : wanted.failed)) return;
  const since = await findWaitedSince(db, transcription_id);
  if (since === undefined || at - since < longMs) return;
  // Whoever sends a hundred files reads the first mails, and looks at the page.
  if (!(await throttle.take(noticeMailPace, user_id))) return;
  await sendEmail(parts, user_id, isDone ? "transcribed" : "notTranscribed", { path: `/transcription/${transcription_id}` });
}
