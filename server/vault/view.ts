import type { Vault, VaultItem } from "#contract/index.ts";
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
