import { sendEmail } from "#server/account/emails.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { noticeMailPace, type Throttle } from "#server/session/throttle.ts";
import { findNoticeSettings, findWaitedSince } from "./queries.ts";

/** The ms up to which the user is assumed to have waited on the page. */
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

/**
 * Writes the e-mail that a person wants after a long transcription has ended: a link, without any spoken word.
 * @param at epoch ms of the end
 */
export async function mailNotice(parts: Parts, { user_id, transcription_id, event }: Ending, at: number): Promise<void> {
  const { db, throttle } = parts;
  const isDone = event === "transcription.completed";
  const wanted = await findNoticeSettings(db, user_id);
  if (!(isDone ? wanted.completed : wanted.failed)) return;
  const since = await findWaitedSince(db, transcription_id);
  if (since === undefined || at - since < longMs) return;
  // A user who sends a hundred files reads the first e-mails and then looks at the page.
  if (!(await throttle.take(noticeMailPace, user_id))) return;
  await sendEmail(parts, user_id, isDone ? "transcribed" : "notTranscribed", { path: `/transcription/${transcription_id}` });
}
