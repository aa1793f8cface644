import * as v from "valibot";
import { acceptedRows } from "../accepted.ts";
import { Moment } from "../transcription.ts";

/** Links of one recording in the vault, and of all of one person's; ended ones not counted. */
export const maxVaultLinks = 20;
export const maxVaultLinksOfPerson = 200;
/** Of one link's sealed part: the title, the file's key, and the text if it is shown. Characters. */
export const maxSealedLink = 2 * 1024 * 1024;

/** An age file as text, encrypted in the page with the key in the link's fragment: the server can't read it. */
const Sealed = v.pipe(
  v.string(),
  v.maxLength(maxSealedLink),
  v.regex(
    /^-----BEGIN AGE ENCRYPTED FILE-----\n[A-Za-z0-9+/=\n]+\n-----END AGE ENCRYPTED FILE-----\n$/,
    "is not an armored age file",
  ),
);

/** POST /api/v1/encrypted-audio/{id}/links. What it shows is its sound, its text, or both. */
export const NewVaultLink = v.pipe(
  v.object({
    sealed: Sealed,
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

/** A link as its owner sees it, without what opens it. Times are ISO 8601, UTC. */
export const VaultLink = v.object({
  id: v.string(),
  audio: v.boolean(),
  text: v.boolean(),
  locked: v.boolean(),
  createdAt: v.string(),
  expiresAt: v.nullable(v.string()),
  /** Its end has come, by the server's clock. */
  ended: v.boolean(),
  /** How often its page was opened. */
  views: v.number(),
});
export type VaultLink = v.InferOutput<typeof VaultLink>;

/** GET of …/links: the newest first, ended ones for 30 more days. */
export const VaultLinksAnswer = v.object({ links: v.array(VaultLink) });
export type VaultLinksAnswer = v.InferOutput<typeof VaultLinksAnswer>;
/** As the page accepts them. */
export const AcceptedVaultLinks = v.object({ links: acceptedRows(VaultLink) });
/** The answer to a new one: the only time that what the server asks for is sent. What decrypts it never is. */
export const CreatedVaultLink = v.object({ ...VaultLink.entries, secret: v.string() });
export type CreatedVaultLink = v.InferOutput<typeof CreatedVaultLink>;

/** The end of a link's address: 64 bits that find it, 256 that the server asks for, and 256 that decrypt it, which no server is sent. */
const address = /^#?([\da-f]{16})\.([\w-]{43})\.([\w-]{43})$/;

/** What opens a link. */
export interface VaultLinkAddress {
  id: string;
  /** Sent to the server, which gives the encrypted bytes for it. */
  secret: string;
  /** Stays in the browser. */
  key: string;
}

/** For the address's fragment: no server is sent it by a browser, and no referrer has it. */
export const vaultLinkFragment = ({ id, secret, key }: VaultLinkAddress): string => `${id}.${secret}.${key}`;

/** @param fragment of the page's address, with or without "#" @returns undefined for one that is cut off, or no link's */
export function readVaultLink(fragment: string): VaultLinkAddress | undefined {
  const [, id, secret, key] = address.exec(fragment) ?? [];
  return id === undefined || secret === undefined || key === undefined ? undefined : { id, secret, key };
}

/** POST /api/v1/shared-recordings/{link}/open */
export const VaultLinkOpening = v.object({ secret: v.pipe(v.string(), v.maxLength(200)) });

/** What whoever has a link is given. The cookie that comes with it opens the encrypted sound for some hours. */
export const OpenedVaultLink = v.object({
  sealed: v.string(),
  locked: v.boolean(),
  /** Of the encrypted sound, in bytes; null where the link is without. GET /api/v1/shared-recordings/{link}/content */
  size: v.nullable(v.number()),
  expiresAt: v.nullable(v.string()),
});
export type OpenedVaultLink = v.InferOutput<typeof OpenedVaultLink>;
