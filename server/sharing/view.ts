import type { SharedLink } from "#contract/index.ts";
import { hasEnded, type SharedLinkRow } from "./queries.ts";

const iso = (at: number): string => new Date(at).toISOString();

/** A link as its owner sees it: without what opens it. @param now epoch ms */
export function viewLink(row: SharedLinkRow, now: number): SharedLink {
  return {
    id: row.id,
    name: row.name,
    audio: row.audio === 1,
    translation: row.translation === 1,
    download: row.download === 1,
    locked: row.passphrase_hash !== null,
    copyable: row.sealed_secret !== null,
    createdAt: iso(row.created_at),
    expiresAt: row.expires_at === null ? null : iso(row.expires_at),
    ended: hasEnded(row, now),
    views: row.views,
  };
}
