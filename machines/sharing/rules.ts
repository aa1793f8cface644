import { passwordFlaw, type SharedLink, type SharedLinkChange } from "#contract/index.ts";

/** What a link may show besides the text. */
export const switches = ["audio", "translation", "download"] as const;
export type Switch = (typeof switches)[number];
export type Switches = Partial<Record<Switch, boolean>>;

/** What a transcript has besides the text. */
export type Has = Record<"audio" | "translation", boolean>;

/** What a new link shows unless the person chooses otherwise: what there is to hear and to read, and no files. */
export const draftOf = ({ audio, translation }: Has, chosen: Switches): Required<Switches> => ({
  audio,
  translation,
  download: false,
  ...chosen,
});

/** The link that "Copy link" copies: the newest one that works. @param links the newest first */
export const mainLink = (links: readonly SharedLink[]): SharedLink | undefined => links.find(({ ended }) => !ended);

/** What a form says that could not be: an end that has passed, a passphrase of too few characters, too many, or blanks alone. */
export type SharingFlaw = "pastEnd" | "shortPassphrase" | "longPassphrase" | "blankPassphrase";

const flaws = { short: "shortPassphrase", long: "longPassphrase", blank: "blankPassphrase" } as const;

/** What is wrong with what a link is to be; null for nothing. @param now epoch ms: the server judges by its own clock */
export function flawOf(
  { expiresAt = null, passphrase = null }: Pick<SharedLinkChange, "expiresAt" | "passphrase">,
  now: number,
): SharingFlaw | null {
  const flaw = passphrase === null ? undefined : passwordFlaw(passphrase);
  if (flaw !== undefined) return flaws[flaw];
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "pastEnd" : null;
}
