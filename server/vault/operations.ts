import { OpenedVaultLink, VaultLinkOpening } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const everybody = { tag: "shared-links", scope: null } as const;

/** Operations for visitors who have a link to a recording in the vault. */
export const vaultLinkOperations = {
  open: { ...everybody, id: "openSharedRecording", body: VaultLinkOpening, json: OpenedVaultLink },
  content: { ...everybody, id: "getSharedRecording", type: "application/octet-stream" },
} as const satisfies Record<string, Operation>;
