import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "#contract/index.ts";
import type { TryLanguages } from "#machines/tryout/machine.ts";
import { preferredLanguages } from "#src/browser/server-rendered.ts";
import { serverLanguages } from "#src/features/engines/server-languages.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** A language that visitors can try, and its target languages. */
export interface TryOption {
  source: SpeechLanguage;
  targets: readonly string[];
}

/** The languages that visitors can try on this server. @param own the interface language; comes first if available */
export function tryOptions(own: string): TryOption[] {
  const options = serverLanguages("tries").flatMap((written) => {
    const [code, targets = ""] = written.split(":");
    const source = v.safeParse(SpeechLanguage, code);
    return source.success
      ? [{ source: source.output, targets: targets.split(",").filter((target) => v.is(TextLanguage, target)) }]
      : [];
  });
  const isOwn = ({ source }: TryOption) => Number(baseLanguage(source) === baseLanguage(own));
  return options.toSorted((a, b) => isOwn(b) - isOwn(a));
}

/**
 * The default languages: from the spoken one into English, or from English into the reader's own language, or Spanish.
 */
export function languagesFor(option: TryOption | undefined): TryLanguages {
  const { source, targets }: TryOption = option ?? { source: "en", targets: [] };
  const wished = ["en", ...preferredLanguages().map(baseLanguage), "es"];
  return { source, target: wished.find((code) => targets.includes(code)) ?? targets[0] ?? null };
}
