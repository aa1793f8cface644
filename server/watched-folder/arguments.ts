import { parseArgs } from "node:util";
import * as v from "valibot";
import { ExportFormat, exportFormats, SpeechLanguage, TextLanguage } from "#contract/index.ts";
import { resultFormats } from "./results.ts";

const usage = `npm run transcribe -- <file> …
  --language en       the spoken language; default: auto if an engine can detect it, else en
  --translate es      the language to translate into
  --speakers          identifies speakers
  --formats txt,srt   from ${exportFormats.join(", ")}; default: ${resultFormats.join(",")}`;

const Wishes = v.object({
  language: v.optional(SpeechLanguage),
  translate: v.optional(TextLanguage),
  speakers: v.optional(v.boolean()),
  formats: v.pipe(
    v.optional(v.string(), resultFormats.join(",")),
    v.transform((text) => text.split(",").map((one) => one.trim())),
    v.array(ExportFormat),
  ),
});
export type Wishes = v.InferOutput<typeof Wishes>;

/**
 * The arguments of `npm run transcribe`.
 * @throws Error with the mistake and the usage
 */
export function readArguments(args: readonly string[]): { files: string[]; wishes: Wishes } {
  const { values, positionals: files } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      language: { type: "string" },
      translate: { type: "string" },
      speakers: { type: "boolean" },
      formats: { type: "string" },
    },
  });
  if (files.length === 0) throw new Error(usage);
  const wishes = v.safeParse(Wishes, values);
  if (!wishes.success)
    throw new Error(`--${v.getDotPath(wishes.issues[0])?.split(".")[0]}: ${wishes.issues[0].message}\n\n${usage}`);
  return { files, wishes: wishes.output };
}
