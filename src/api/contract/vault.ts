import * as v from "valibot";

/** The limits of one vault. Sizes in bytes. */
export const vaultLimits = {
  items: 1000,
  /** Of one item's name and metadata, encrypted and armored. */
  meta: 16 * 1024,
  /** Of one item's text, encrypted. */
  text: 32 * 1024 * 1024,
  /** Of one part of an upload. */
  part: 16 * 1024 * 1024,
} as const;

/** The header of every file in the age format (https://age-encryption.org/v1). */
export const ageMagic = "age-encryption.org/v1\n";

/** An age file as text ("ASCII armor"): nothing else is accepted, so that no plain text is stored by mistake. */
const Armored = v.pipe(
  v.string(),
  v.maxLength(vaultLimits.meta),
  v.regex(
    /^-----BEGIN AGE ENCRYPTED FILE-----\n[A-Za-z0-9+/=\n]+\n-----END AGE ENCRYPTED FILE-----\n$/,
    "is not an armored age file",
  ),
);
const Recipient = v.pipe(v.string(), v.regex(/^age1[02-9ac-hj-np-z]{58}$/, "is not an age recipient"));
const Size = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The server's record of a vault: its public key, and its identity, sealed twice. */
export const Vault = v.object({
  /** The public half of the vault's identity: items are encrypted for it. */
  recipient: Recipient,
  /** The identity, sealed with the passphrase (age, scrypt). */
  sealed: Armored,
  /** The same identity, sealed for the recovery key. */
  recoverySealed: Armored,
  /** Counts the changes of `sealed`. */
  revision: Size,
});
export type Vault = v.InferOutput<typeof Vault>;

/** POST /api/v1/encrypted-audio/vault */
export const NewVault = v.object({ recipient: Recipient, sealed: Armored, recoverySealed: Armored });
export type NewVault = v.InferOutput<typeof NewVault>;

/** PUT /api/v1/encrypted-audio/vault: another passphrase. `revision` is the one to replace. */
export const VaultChange = v.object({ sealed: Armored, revision: Size });
export type VaultChange = v.InferOutput<typeof VaultChange>;

/** One recording as the server sees it. */
export const VaultItem = v.object({
  id: v.string(),
  /** The page's id for it: makes the upload idempotent. */
  clientId: v.string(),
  /** Of the encrypted file, in bytes; and how much of it is on the server's disk. It is complete when they are equal. */
  size: Size,
  received: Size,
  /** ISO 8601, UTC: when it was complete; null before. */
  arrivedAt: v.nullable(v.string()),
  /** The transcription that it was made from; null for none. */
  transcriptionId: v.nullable(v.string()),
  /** Name and metadata, encrypted for the vault. */
  meta: Armored,
  hasText: v.boolean(),
});
export type VaultItem = v.InferOutput<typeof VaultItem>;

/** GET /api/v1/encrypted-audio: everything but the files; only complete items, newest first. */
export const VaultAnswer = v.object({ vault: v.nullable(Vault), items: v.array(VaultItem) });
export type VaultAnswer = v.InferOutput<typeof VaultAnswer>;

/** POST /api/v1/encrypted-audio: creates an item. Its file follows in parts: PUT …/{id}/content?offset={bytes}. */
export const NewVaultItem = v.object({
  clientId: v.pipe(v.string(), v.uuid()),
  size: v.pipe(Size, v.minValue(1)),
  transcriptionId: v.optional(v.nullable(v.pipe(v.string(), v.uuid())), null),
  meta: Armored,
});
export type NewVaultItem = v.InferInput<typeof NewVaultItem>;

/** PATCH /api/v1/encrypted-audio/{id} */
export const VaultItemChange = v.object({ meta: Armored });

/** The query of PUT …/{id}/content: the number of bytes already on the server. */
export const PartQuery = v.object({ offset: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)) });
