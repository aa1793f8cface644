import type { Vault, VaultItem, VaultLink } from "#contract/index.ts";
import { viewFacts } from "#server/sharing/view.ts";
import type { VaultLinkFacts } from "./link-queries.ts";
import type { VaultItemRow, VaultRow } from "./queries.ts";

export function vaultView({ recipient, sealed, recovery_sealed, revision }: VaultRow): Vault {
  return { recipient, sealed, recoverySealed: recovery_sealed, revision };
}

export function itemView(row: VaultItemRow): VaultItem {
  return {
    id: row.id,
    clientId: row.client_id,
    size: row.size,
    received: row.received,
    arrivedAt: row.arrived_at === null ? null : new Date(row.arrived_at).toISOString(),
    transcriptionId: row.transcription_id,
    meta: row.meta,
    hasText: row.has_text === 1,
  };
}

/** A link as its owner sees it, without its secret. @param now epoch ms */
export const vaultLinkView = (row: VaultLinkFacts, now: number): VaultLink => ({
  ...viewFacts(row, now),
  text: row.has_text === 1,
  locked: row.locked === 1,
});
