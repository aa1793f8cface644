import { OpenedVaultLink, VaultLinkOpening } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const everybody = { tag: "Shared links", scope: null } as const;

/** What whoever has a link to a recording in the vault may ask. */
export const vaultLinkOperations = {
  open: {
    ...everybody,
    id: "openSharedRecording",
    summary: "What a link to encrypted audio gives",
    description:
      "The end of a link's address is `<link>.<secret>.<key>`. The answer is encrypted: what opens it is the key, which is never sent, with a passphrase where it is `locked` (age, scrypt). The answer's cookie opens the content. A link that was revoked, has ended or never was answers 404, without a difference.",
    body: VaultLinkOpening,
    answer: { status: 200, json: OpenedVaultLink },
  },
  content: {
    ...everybody,
    id: "getSharedRecording",
    summary: "The encrypted sound of a link that has one",
    description: "An age file. Takes `Range`. Needs the cookie of an opened link.",
    answer: { status: 200, type: "application/octet-stream" },
  },
} as const satisfies Record<string, Operation>;
