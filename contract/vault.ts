import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { linkFacts, readSharedAddress, SharedOpening, sharedAddress } from "./sharing.ts";
import { Moment } from "./transcription.ts";

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

/** An age file as text ("ASCII armor"): nothing else is accepted, so that no plain text is stored by mistake. @param max characters */
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

/** Links of one recording in the vault, and of all of one person's; ended ones not counted. */
export const maxVaultLinks = 20;
export const maxVaultLinksOfPerson = 200;
/** Of one link's sealed part: the title, the file's key, and the text if it is shown. Characters. */
export const maxSealedLink = 2 * 1024 * 1024;

/** POST /api/v1/encrypted-audio/{id}/links. What it shows is its sound, its text, or both. */
export const NewVaultLink = v.pipe(
  v.object({
    /** Encrypted in the page with the key in the link's fragment: the server can't read it. */
    sealed: armored(maxSealedLink),
    /** The server gives the encrypted sound to whoever has the link. */
    audio: v.boolean(),
    /** What is sealed has the text. */
    text: v.boolean(),
    /** What is sealed takes a passphrase besides the key: the page asks for it; the server knows no more of it. */
    locked: v.boolean(),
    /** When it ends, ISO 8601; null: when it is revoked. */
    expiresAt: v.nullable(Moment),
  }),
  v.check(({ audio, text }) => audio || text, "shows nothing"),
);
export type NewVaultLink = v.InferOutput<typeof NewVaultLink>;

/** A link as its owner sees it, without what opens it. */
export const VaultLink = v.object({ ...linkFacts, text: v.boolean() });
export type VaultLink = v.InferOutput<typeof VaultLink>;

/** GET of …/links: the newest first, ended ones for 30 more days. */
export const VaultLinksAnswer = v.object({ links: v.array(VaultLink) });
export type VaultLinksAnswer = v.InferOutput<typeof VaultLinksAnswer>;
/** As the page accepts them. */
export const AcceptedVaultLinks = v.object({ links: acceptedRows(VaultLink) });
/** The answer to a new one: the only time that what the server asks for is sent. What decrypts it never is. */
export const CreatedVaultLink = v.object({ ...VaultLink.entries, secret: v.string() });
export type CreatedVaultLink = v.InferOutput<typeof CreatedVaultLink>;

/** What opens a link. */
export interface VaultLinkAddress {
  id: string;
  /** Sent to the server, which gives the encrypted bytes for it. */
  secret: string;
  /** Stays in the browser. */
  key: string;
}

/** For the address's fragment: no server is sent it by a browser, and no referrer has it. */
export const vaultLinkFragment = ({ key, ...link }: VaultLinkAddress): string => `${sharedAddress(link)}.${key}`;

/** After what finds and opens a link: 256 bits that decrypt what it shows, which no server is sent. */
const keyAtEnd = /^(.*)\.([\w-]{43})$/;

/** @param fragment of the page's address, with or without "#" @returns undefined for one that is cut off, or no link's */
export function readVaultLink(fragment: string): VaultLinkAddress | undefined {
  const [, link = "", key] = keyAtEnd.exec(fragment) ?? [];
  const address = readSharedAddress(link);
  return address === undefined || key === undefined ? undefined : { ...address, key };
}

/** POST /api/v1/shared-recordings/{link}/open */
export const VaultLinkOpening = v.pick(SharedOpening, ["secret"]);

/** What whoever has a link is given. The cookie that comes with it opens the encrypted sound for some hours. */
export const OpenedVaultLink = v.object({
  sealed: v.string(),
  locked: v.boolean(),
  /** Of the encrypted sound, in bytes; null where the link is without. GET /api/v1/shared-recordings/{link}/content */
  size: v.nullable(v.number()),
  expiresAt: v.nullable(v.string()),
});
export type OpenedVaultLink = v.InferOutput<typeof OpenedVaultLink>;
