import { speechLanguages } from "#contract/index.ts";
import type { EngineChoice, Use } from "#server/speech/index.ts";
import { detectLanguage } from "#server/translation/index.ts";

interface Spoken {
  /** What hears it. */
  engines: { forLanguage(language: "auto", use: Use): Pick<EngineChoice, "language"> | undefined };
  use: Use;
  /** What was heard. */
  text: string;
  /** A language that it is not, in any spelling: the other side's of a conversation. */
  except?: string;
}

const baseOf = (code: string) => code.slice(0, 2);

/**
 * The language to store with a text that was heard: where it was to be found out, the one that the engine hears instead, or else the one
 * that the text is most likely in. From then on it has a language everywhere.
 * @param wanted what the person chose
 * @returns "auto" for a text without letters, or in no language that is heard here
 */
export async function spokenLanguage(wanted: string, { engines, use, text, except }: Spoken): Promise<string> {
  if (wanted !== "auto" || text.trim() === "") return wanted;
  const heard = engines.forLanguage("auto", use)?.language ?? "auto";
  if (heard !== "auto") return heard;
  const known = speechLanguages.filter((code) => code !== "auto" && (except === undefined || baseOf(code) !== baseOf(except)));
  const found = await detectLanguage(text, new Set(known.map(baseOf)));
  return known.find((code) => baseOf(code) === found) ?? "auto";
}
