import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html } from "hono/html";
import * as v from "valibot";
import { InterfaceLanguage } from "#contract/index.ts";

const Letter = v.object({ subject: v.string(), text: v.string(), action: v.string() });
/** The texts of one language: server/mail/texts/{lng}.json. */
const Texts = v.object({
  greeting: v.string(),
  greetingPlain: v.string(),
  button: v.string(),
  ignore: v.string(),
  footer: v.string(),
  confirm: Letter,
  reset: Letter,
  known: Letter,
  changed: Letter,
  newEmail: Letter,
  wantedEmail: Letter,
  movedEmail: Letter,
  providers: Letter,
  tokenMade: Letter,
  secondFactor: Letter,
  passkeyAdded: Letter,
  passkeyRemoved: Letter,
  recoveryCodeUsed: Letter,
  webhookPaused: Letter,
  transcribed: Letter,
  notTranscribed: Letter,
  feedPaused: Letter,
  episodesWait: Letter,
  offered: Letter,
});
type Texts = v.InferOutput<typeof Texts>;
export type EmailName = Exclude<keyof Texts, "greeting" | "greetingPlain" | "button" | "ignore" | "footer">;

/** Those with a warning for recipients who did not expect them. */
const alarming: ReadonlySet<EmailName> = new Set([
  "changed",
  "wantedEmail",
  "movedEmail",
  "providers",
  "tokenMade",
  "secondFactor",
  "passkeyAdded",
  "passkeyRemoved",
  "recoveryCodeUsed",
  "offered",
]);

export interface Mail {
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

export interface EmailOptions {
  recipient: string;
  name: string;
  language: InterfaceLanguage;
  link: string;
  page: string;
  /** The value of `{{email}}` in its text. */
  email?: string;
}

const texts = new Map<InterfaceLanguage, Texts>(
  InterfaceLanguage.options.map((language) => {
    const path = fileURLToPath(new URL(`./texts/${language}.json`, import.meta.url));
    return [language, v.parse(v.pipe(v.string(), v.parseJson(), Texts), readFileSync(path, "utf8"))];
  }),
);

/** Renders an email in the person's language, as text and as HTML. User input is escaped, and stays on one line. */
export async function renderEmail(name: EmailName, options: EmailOptions): Promise<Mail> {
  const words = texts.get(options.language);
  if (words === undefined) throw new Error(`E-mails are not translated into ${options.language}.`);
  const values = { name: oneLine(options.name), email: options.email ?? "", page: options.page };
  const say = (text: string) => text.replace(/\{\{(name|email|page)\}\}/g, (_, key: keyof typeof values) => values[key]);
  const email = words[name];
  const greeting = say(values.name === "" ? words.greetingPlain : words.greeting);
  const paragraphs = [greeting, say(email.text)];
  const last = alarming.has(name) ? [] : [words.ignore];
  const footer = say(words.footer);
  return {
    recipient: options.recipient,
    subject: email.subject,
    text: `${[...paragraphs, `${email.action}:\n${options.link}`, ...last, `--\n${footer}`].join("\n\n")}\n`,
    html: String(
      await page({ ...email, language: options.language, link: options.link, button: words.button, paragraphs, last, footer }),
    ),
  };
}

function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ").trim();
}

interface Parts {
  language: string;
  subject: string;
  paragraphs: string[];
  action: string;
  link: string;
  button: string;
  last: string[];
  footer: string;
}

/** Inline styles: email programs ignore style sheets. The colours are those of src/ui/tokens.css. */
function page({ language, subject, paragraphs, action, link, button, last, footer }: Parts) {
  const paragraph = "margin:0 0 16px;font:16px/1.5 system-ui,sans-serif;color:#1d2320";
  const small = "margin:24px 0 0;font:13px/1.5 system-ui,sans-serif;color:#5a645e";
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
${paragraphs.map((text) => html`<p style="${paragraph}">${text}</p>`)}
<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 20px;background:#1f5f4a;color:#ffffff;font:600 16px system-ui,sans-serif;text-decoration:none;border-radius:6px">${action}</a></p>
<p style="${small}">${button}<br><a href="${link}" style="color:#1f5f4a;word-break:break-all">${link}</a></p>
${last.map((text) => html`<p style="${small}">${text}</p>`)}
<p style="${small}">${footer}</p>
</div>
</body>
</html>
`;
}
