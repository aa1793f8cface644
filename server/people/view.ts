import type { ReceivedShare, SharedPerson } from "#contract/index.ts";
import type { ReceivedRow, ShareRow } from "./queries.ts";

const iso = (at: number): string => new Date(at).toISOString();

/** Somebody with whom a transcription is shared, as its owner sees them: not who has accepted, only that somebody has. */
export function viewPerson({ id, email, role, user_id, created_at, expires_at }: ShareRow): SharedPerson {
  return {
    id,
    email,
    role,
    accepted: user_id !== null,
    createdAt: iso(created_at),
    expiresAt: expires_at === null ? null : iso(expires_at),
  };
}

export function viewReceived(row: ReceivedRow): ReceivedShare {
  return {
    id: row.id,
    transcription: row.transcription_id,
    title: row.title,
    date: iso(row.date),
    durationSeconds: row.duration_seconds,
    by: row.email,
    role: row.role,
    accepted: row.user_id !== null,
    expiresAt: row.expires_at === null ? null : iso(row.expires_at),
  };
}
