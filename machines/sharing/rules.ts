import { passwordFlaw, type SharedLink, type SharedLinkChange } from "#contract/index.ts";

/** Content that a link may show besides the text. */
export const switches = ["audio", "translation", "download"] as const;
export type Switch = (typeof switches)[number];
export type Switches = Partial<Record<Switch, boolean>>;

/** The content that a transcript has besides the text. */
export type Has = Record<"audio" | "translation", boolean>;

/** The default content of a new link: audio and translation if the transcript has them, and no files. */
export const draftOf = ({ audio, translation }: Has, chosen: Switches): Required<Switches> => ({
  audio,
  translation,
  download: false,
  ...chosen,
});

/** The link that "Copy link" copies: the newest one that works. @param links the newest first */
export const mainLink = (links: readonly SharedLink[]): SharedLink | undefined => links.find(({ ended }) => !ended);

/** Flaws of the form: an expiry in the past, or a passphrase that is too short, too long or blank. */
export type SharingFlaw = "pastEnd" | "shortPassphrase" | "longPassphrase" | "blankPassphrase";

const flaws = { short: "shortPassphrase", long: "longPassphrase", blank: "blankPassphrase" } as const;

/**
 * The flaw of a change; null if it has none.
 * @param now epoch ms; the server checks with its own clock
 */
export function flawOf(
  { expiresAt = null, passphrase = null }: Pick<SharedLinkChange, "expiresAt" | "passphrase">,
  now: number,
): SharingFlaw | null {
  const flaw = passphrase === null ? undefined : passwordFlaw(passphrase);
  if (flaw !== undefined) return flaws[flaw];
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "pastEnd" : null;
}
