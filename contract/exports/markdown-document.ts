import { factsIn, notesIn, passagesIn, type Read, titleIn } from "./reading.ts";

/**
 * A transcript as Markdown (CommonMark), with its notes at the end. Spoken text is escaped, so that it is never markup.
 */
export function asMarkdown(read: Read): string {
  const { shown, labels } = read;
  const facts = factsIn(read).map(([label, value]) => `- **${escaped(label)}**${labels.colon}${escaped(value)}`);
  const passages = passagesIn(read).map(({ time, speaker, text, translation }) => {
    const head = [time, speaker === "" ? "" : `${escaped(speaker)}${labels.colon.trimEnd()}`].filter((part) => part !== "");
    const said = head.length === 0 ? line(text) : `**${head.join(" ")}** ${escaped(text)}`;
    return `${said}${translation === "" ? "" : `\n\n> ${line(translation)}`}`;
  });
  const texts = [shown.text, shown.translatedText].flatMap((text) => paragraphs(text));
  const notes = notesIn(read).map(({ times, colour, quote, text }) => {
    const head = `**${times}**${colour === "" ? "" : ` (${escaped(colour)})`}`;
    const said = quote === "" ? "" : ` “${escaped(quote)}”`;
    const lines =
      text === ""
        ? ""
        : `\n\n${text
            .split(/\r?\n/)
            .map((one) => `  ${line(one)}`.trimEnd())
            .join("\n")}`;
    return `- ${head}${said}${lines}`;
  });
  return [
    `# ${escaped(titleIn(read))}`,
    ...(facts.length > 0 ? [facts.join("\n")] : []),
    ...(passages.length > 0 ? passages : texts),
    ...(notes.length > 0 ? [`## ${escaped(labels.notes)}`, ...notes] : []),
  ]
    .join("\n\n")
    .concat("\n");
}

/** Paragraphs are separated by blank lines. */
const paragraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim().split(/\r?\n/).map(line).join("\n"))
    .filter((part) => part !== "");

/** Escapes every character with a meaning in Markdown or HTML. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~&!$]/g, "\\$&");

/** The same for the beginning of a line, where more characters have a meaning. */
const line = (text: string): string =>
  escaped(text.trim())
    .replace(/^([-+=:])/, "\\$1")
    .replace(/^(\d+)([.)])/, "$1\\$2");
