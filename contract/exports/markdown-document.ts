import { factsIn, notesIn, passagesIn, type Read, titleIn } from "./reading.ts";

/** A transcript as Markdown (CommonMark), with what was noted of it at its end. What was said is text there, and never markup. */
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

/** Blank lines divide it. */
const paragraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim().split(/\r?\n/).map(line).join("\n"))
    .filter((part) => part !== "");

/** Every sign that Markdown or HTML in it could take for its own. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~&!$]/g, "\\$&");

/** The same for a text at the beginning of a line, where more signs have a meaning. */
const line = (text: string): string =>
  escaped(text.trim())
    .replace(/^([-+=:])/, "\\$1")
    .replace(/^(\d+)([.)])/, "$1\\$2");
