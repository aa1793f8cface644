import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { linkFacts, readSharedAddress, SharedOpening, sharedAddress } from "./sharing.ts";
import { Moment } from "./transcription.ts";

/** The limits of a vault. Sizes in bytes. */
export const vaultLimits = {
  items: 1000,
  /** An item's name and metadata, encrypted and armored. */
  meta: 16 * 1024,
  /** An item's text, encrypted. */
  text: 32 * 1024 * 1024,
  /** One part of an upload. */
  part: 16 * 1024 * 1024,
} as const;

/** The header of every file in the age format (https://age-encryption.org/v1). */
export const ageMagic = "age-encryption.org/v1\n";

/**
 * An age file as text ("ASCII armor"). Nothing else is accepted, so that no plain text is stored by mistake. @param max
 * characters
 */
const armored = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max),
    v.regex(
      /^-----BEGIN AGE ENCRYPTED FILE-----\n[A-Za-z0-9+/=\n]+\n-----END AGE ENCRYPTED FILE-----\n$/,
      "is not an armored age file",
    ),
  );
const Armored = armored(vaultLimits.meta);
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
  /** Number of changes of `sealed`. */
  revision: Size,
});
export type Vault = v.InferOutput<typeof Vault>;

/** POST /api/v1/encrypted-audio/vault */
export const NewVault = v.object({ recipient: Recipient, sealed: Armored, recoverySealed: Armored });
export type NewVault = v.InferOutput<typeof NewVault>;

/** PUT /api/v1/encrypted-audio/vault: changes the passphrase. `revision` is the one to replace. */
export const VaultChange = v.object({ sealed: Armored, revision: Size });
export type VaultChange = v.InferOutput<typeof VaultChange>;

/** One recording as the server sees it. */
export const VaultItem = v.object({
  id: v.string(),
  /** The page's id of the recording; makes the upload idempotent. */
  clientId: v.string(),
  /** Size of the encrypted file in bytes, and bytes on the server's disk. The item is complete when they are equal. */
  size: Size,
  received: Size,
  /** ISO 8601, UTC: when it became complete; null before. */
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

/** Most links of one recording in the vault, and of all recordings of a user; without ended ones. */
export const maxVaultLinks = 20;
export const maxVaultLinksOfPerson = 200;
/** Largest sealed part of a link: the title, the file's key, and the text if it is shown. In characters. */
export const maxSealedLink = 2 * 1024 * 1024;

/** POST /api/v1/encrypted-audio/{id}/links. A link shows the audio, the text, or both. */
export const NewVaultLink = v.pipe(
  v.object({
    /** Encrypted by the page with the key in the link's fragment; the server can't read it. */
    sealed: armored(maxSealedLink),
    /** Whether the server sends the encrypted audio to visitors with the link. */
    audio: v.boolean(),
    /** Whether the sealed part contains the text. */
    text: v.boolean(),
    /**
     * Whether the sealed part needs a passphrase in addition to the key. The page asks for it; the server never gets
     * it.
     */
    locked: v.boolean(),
    /** When it ends, ISO 8601; null: only when it is revoked. */
    expiresAt: v.nullable(Moment),
  }),
  v.check(({ audio, text }) => audio || text, "shows nothing"),
);
export type NewVaultLink = v.InferOutput<typeof NewVaultLink>;

/** A link as its owner sees it, without its secret. */
export const VaultLink = v.object({ ...linkFacts, text: v.boolean() });
export type VaultLink = v.InferOutput<typeof VaultLink>;

/** GET of …/links: the newest first, ended ones for 30 more days. */
export const VaultLinksAnswer = v.object({ links: v.array(VaultLink) });
export type VaultLinksAnswer = v.InferOutput<typeof VaultLinksAnswer>;
/** The response as the page accepts it. */
export const AcceptedVaultLinks = v.object({ links: acceptedRows(VaultLink) });
/** The response for a new link: the only time that the server's secret is sent. The decryption key is never sent. */
export const CreatedVaultLink = v.object({ ...VaultLink.entries, secret: v.string() });
export type CreatedVaultLink = v.InferOutput<typeof CreatedVaultLink>;

/** The parts of a link. */
export interface VaultLinkAddress {
  id: string;
  /** Sent to the server, which returns the encrypted bytes. */
  secret: string;
  /** The decryption key; it stays in the browser. */
  key: string;
}

/** The fragment of the URL. Browsers send a fragment neither to servers nor in a referrer. */
export const vaultLinkFragment = ({ key, ...link }: VaultLinkAddress): string => `${sharedAddress(link)}.${key}`;

/** The key after a link's id and secret: 256 bits, which no server gets. */
const keyAtEnd = /^(.*)\.([\w-]{43})$/;

/**
 * @param fragment of the page's URL, with or without "#" @returns undefined for a truncated one, or one that is not a
 *   link's
 */
export function readVaultLink(fragment: string): VaultLinkAddress | undefined {
  const [, link = "", key] = keyAtEnd.exec(fragment) ?? [];
  const address = readSharedAddress(link);
  return address === undefined || key === undefined ? undefined : { ...address, key };
}

/** POST /api/v1/shared-recordings/{link}/open */
export const VaultLinkOpening = v.pick(SharedOpening, ["secret"]);

/** The response for a visitor. Its cookie opens the encrypted audio for some hours. */
export const OpenedVaultLink = v.object({
  sealed: v.string(),
  locked: v.boolean(),
  /**
   * Size of the encrypted audio in bytes (GET /api/v1/shared-recordings/{link}/content); null when the link excludes
   * it.
   */
  size: v.nullable(v.number()),
  expiresAt: v.nullable(v.string()),
});
export type OpenedVaultLink = v.InferOutput<typeof OpenedVaultLink>;
