import type { SharedLink, VaultLink } from "#contract/index.ts";
import { hasEnded, type SharedLinkRow } from "./queries.ts";

const iso = (at: number): string => new Date(at).toISOString();

/** When a link ends, ISO 8601; null: when it is revoked. */
export const viewEnd = ({ expires_at }: Pick<SharedLinkRow, "expires_at">): string | null =>
  expires_at === null ? null : iso(expires_at);

type FactsRow = Pick<SharedLinkRow, "id" | "audio" | "created_at" | "expires_at" | "views">;

/** The facts that a link of any kind shows its owner. @param now epoch ms */
export const viewFacts = (row: FactsRow, now: number): Omit<VaultLink, "locked" | "text"> => ({
  id: row.id,
  audio: row.audio === 1,
  createdAt: iso(row.created_at),
  expiresAt: viewEnd(row),
  ended: hasEnded(row, now),
  views: row.views,
});

/** A link as its owner sees it, without its secret. @param now epoch ms */
export function viewLink(row: SharedLinkRow, now: number): SharedLink {
  return {
    ...viewFacts(row, now),
    name: row.name,
    translation: row.translation === 1,
    download: row.download === 1,
    locked: row.passphrase_hash !== null,
    copyable: row.sealed_secret !== null,
  };
}
