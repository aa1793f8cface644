import { factsIn, notesIn, passagesIn, type Read, titleIn } from "#contract/exports/reading.ts";

const style = `:root{color-scheme:light dark}
body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.6 Georgia,serif;overflow-wrap:anywhere}
h1{line-height:1.2}ul.facts{padding:0;list-style:none}
time,.facts,.colour{font:.875rem/1.6 system-ui,sans-serif;opacity:.8}
.translation{margin-inline-start:1.5rem;font-style:italic}blockquote{margin:.25rem 0}.note{white-space:pre-wrap}
@media print{body{margin:0;max-width:none}p,li{break-inside:avoid}}`;

/**
 * A transcript as a separate page, with its notes at the end. The page loads nothing and runs nothing, which its policy
 * also tells browsers. All spoken text is escaped, never markup.
 */
export function asHtml(read: Read): string {
  const { shown, labels } = read;
  const title = escaped(titleIn(read));
  const facts = factsIn(read).map(([label, value]) => `<li>${escaped(`${label}${labels.colon}${value}`)}</li>`);
  const passages = passagesIn(read).map(({ time, speaker, text, language, translation, translationLanguage }) => {
    const name = speaker === "" ? "" : ` <strong>${escaped(`${speaker}${labels.colon}`.trimEnd())}</strong>`;
    const original = `<p>${time === "" ? "" : `<time>${time}</time>`}${name} <span dir="auto"${lang(language)}>${escaped(text)}</span></p>`;
    if (translation === "") return original;
    return `${original}\n<p class="translation" dir="auto"${lang(translationLanguage)}>${escaped(translation)}</p>`;
  });
  const texts = [shown.text, shown.translatedText].filter((text) => text.trim() !== "");
  const notes = notesIn(read).map(({ times, colour, quote, text }) => {
    const head = `<time>${times}</time>${colour === "" ? "" : ` <span class="colour">${escaped(colour)}</span>`}`;
    const said = quote === "" ? "" : `<blockquote dir="auto">${escaped(quote)}</blockquote>`;
    return `<li>${head}${said}${text === "" ? "" : `<div class="note" dir="auto">${escaped(text)}</div>`}</li>`;
  });
  return [
    `<!doctype html>\n<html lang="${escaped(labels.language)}">\n<head>\n<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>\n<style>${style}</style>\n</head>\n<body>\n<h1 dir="auto">${title}</h1>`,
    ...(facts.length > 0 ? [`<ul class="facts">${facts.join("")}</ul>`] : []),
    ...(passages.length > 0 ? passages : texts.map((text) => `<p class="note" dir="auto">${escaped(text.trim())}</p>`)),
    ...(notes.length > 0 ? [`<h2>${escaped(labels.notes)}</h2>`, `<ul>${notes.join("\n")}</ul>`] : []),
    "</body>\n</html>\n",
  ].join("\n");
}

/** A page may say its language, where a code has only what codes have. */
const lang = (code: string | undefined): string => (code === undefined ? "" : ` lang="${escaped(code)}"`);

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
