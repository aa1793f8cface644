import type { Vault, VaultItem } from "#contract/index.ts";

const armored = (text: string) => `-----BEGIN AGE ENCRYPTED FILE-----\n${btoa(text)}\n-----END AGE ENCRYPTED FILE-----\n`;

export const sealedVault: Vault = {
  recipient: `age1${"q".repeat(58)}`,
  sealed: armored("sealed"),
  recoverySealed: armored("sealed for recovery"),
  revision: 0,
};

export function sealedItem(id: string, parts: Partial<VaultItem> = {}): VaultItem {
  return {
    id,
    clientId: `client-${id}`,
    size: 1000,
    received: 1000,
    arrivedAt: "2026-11-20T10:00:00.000Z",
    transcriptionId: null,
    meta: armored(`name of ${id}`),
    hasText: false,
    ...parts,
  };
}
