import * as v from "valibot";

/** What one vault may hold. Sizes in bytes. */
export const vaultLimits = {
  items: 1000,
  /** Of one item's name and facts, encrypted and armored. */
  meta: 16 * 1024,
  /** Of one item's text, encrypted. */
  text: 32 * 1024 * 1024,
  /** Of what is sent at once of a file. */
  part: 16 * 1024 * 1024,
} as const;

/** What every file in the age format begins with (https://age-encryption.org/v1). */
export const ageMagic = "age-encryption.org/v1\n";

/** An age file as text ("ASCII armor"): nothing else is taken, so that nothing readable is kept by mistake. */
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

/** What the server knows of a vault: whom to encrypt for, and the key that opens it, sealed twice. */
export const Vault = v.object({
  /** The public half of the vault's identity: what is put in is encrypted for it. */
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

/** PUT /api/v1/encrypted-audio/vault: another passphrase. `revision` is the one that it replaces. */
export const VaultChange = v.object({ sealed: Armored, revision: Size });
export type VaultChange = v.InferOutput<typeof VaultChange>;

/** One recording as the server sees it. */
export const VaultItem = v.object({
  id: v.string(),
  /** The page's name for it: what comes again under the same one is kept once. */
  clientId: v.string(),
  /** Of the encrypted file, in bytes; and how much of it is on the server's disk. It is whole when they are the same. */
  size: Size,
  received: Size,
  /** ISO 8601, UTC: when it was whole; null before. */
  arrivedAt: v.nullable(v.string()),
  /** The transcription that it was; null when it never was one. */
  transcriptionId: v.nullable(v.string()),
  /** Name and facts, encrypted for the vault. */
  meta: Armored,
  hasText: v.boolean(),
});
export type VaultItem = v.InferOutput<typeof VaultItem>;

/** GET /api/v1/encrypted-audio: everything but the files; only what has come whole, newest first. */
export const VaultAnswer = v.object({ vault: v.nullable(Vault), items: v.array(VaultItem) });
export type VaultAnswer = v.InferOutput<typeof VaultAnswer>;

/** POST /api/v1/encrypted-audio: begins an item. Its file follows in parts: PUT …/{id}/content?offset={bytes}. */
export const NewVaultItem = v.object({
  clientId: v.pipe(v.string(), v.uuid()),
  size: v.pipe(Size, v.minValue(1)),
  transcriptionId: v.optional(v.nullable(v.pipe(v.string(), v.uuid())), null),
  meta: Armored,
});
export type NewVaultItem = v.InferInput<typeof NewVaultItem>;

/** PATCH /api/v1/encrypted-audio/{id} */
export const VaultItemChange = v.object({ meta: Armored });

/** The query of PUT …/{id}/content: how many bytes were there before. */
export const PartQuery = v.object({ offset: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)) });
