import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { writeOrCheck } from "./generated-document.ts";
import { root } from "./tools.mjs";

// `npm run docs:features` writes the table of features into ARCHITECTURE.md. With --check it only says whether it is up
// to date. A folder without a word here fails in both cases.

/** Each feature's word, which names its folder in every layer, and what the feature is. */
const features: Record<string, string> = {
  account: "Sign-up, passwords, mailed links, deletion",
  admin: "The superusers' pages: numbers, accounts, jobs, the log of changes",
  analytics: "Measuring how the page is used, with consent",
  api: "/openapi.json, made from the routes' own descriptions, and the page /api that shows it",
  backup: "Backups, on a schedule and by command, and how they are restored; its page is in `admin`",
  blog: "The public blog and its feeds",
  "blog-admin": "Writing and publishing posts",
  "blog-analytics": "Views and reactions of posts",
  debug: "The pages /test/… and /debug/languages, for whoever looks for a fault",
  "device-models": "Recognition and translation in the browser: models kept on this device",
  dictation: "Speech from a microphone or a tab, to text while it is spoken; what a closed tab leaves",
  engines: "What can be recognized, translated and spoken here",
  exports: "The options of a saved file",
  feeds: "Followed podcasts",
  filing: "Folders, tags, favourites, and actions on many transcripts",
  inbox: "Feedback, contact and waitlist",
  insights: "Summaries, tasks, chapters and answers by a language model",
  inspection: "The page /debug/machines, which draws the live statecharts",
  landing: "The landing page",
  models: "The models of this machine: catalogue, installation, choices",
  notes: "Highlights and notes in a transcript",
  notices: "Mails about long recordings that are done",
  offline: "Whether the server can be reached, and what works without it",
  passkeys: "Sign-in with finger, face, PIN or security key",
  people: "Sharing a transcript with accounts, for its owner and for them",
  "personal-tokens": "Access tokens for programs",
  retention: "How long transcripts and recordings are kept",
  "scheduled-posting": "Posts that a language model writes on a schedule",
  search: "Search in everything that was said, and questions to it",
  "second-factor": "Two-step sign-in",
  session: "Access token, refresh, sign-in with providers, the access guard, limits on attempts (`throttle.ts`)",
  settings: "The settings page, and the export of an account",
  sharing: "Links to transcripts: the panel of their owner, and the page of their visitors",
  shortcuts: "The keys of every page, and the list of them",
  subscription: "Plans, billing and usage",
  transcription: "One transcript: reading, correcting, playing, saving",
  transcriptions: "The history and the trash",
  translator: "Conversations in two languages",
  tryout: "Thirty seconds of dictation without an account",
  update: "A new version of the page",
  uploads: "Files and web addresses that become transcripts",
  vault: "Encrypted audio",
  video: "The picture of a transcript, and videos with captions",
  vocabulary: "Words to expect, and how they are written",
  "voice-profiles": "Speakers that are known by name, with consent",
  "watched-folder": "A folder whose recordings are transcribed",
  waveform: "The waveform of a recording",
  webhooks: "Messages to a person's own servers",
};

/** Folders on which features stand, and what stands around every page. */
const foundations = new Set(
  (
    "bus cluster collection config db demo errors http jobs layout log mail metrics outbound page polling processes processing shell " +
    "speech storage telemetry threads translation users"
  ).split(" "),
);

/** A column of the table, and the folder of its layer. */
const layers = [
  ["Machines", "machines"],
  ["Page", "src/features"],
  ["Server", "server"],
] as const;

const present = new Set(layers.flatMap(([, layer]) => foldersIn(layer)));
const unknown = [...present].filter((word) => !(word in features) && !foundations.has(word));
const gone = [...Object.keys(features), ...foundations].filter((word) => !present.has(word));
if (unknown.length > 0 || gone.length > 0) {
  for (const word of unknown) console.error(`"${word}" is a folder without a description in scripts/docs-features.ts.`);
  for (const word of gone) console.error(`"${word}" in scripts/docs-features.ts is no folder any more.`);
  process.exit(1);
}

const rows = Object.entries(features).map(([word, about]) => [
  `\`${word}\``,
  about,
  existsSync(join(root, "contract", `${word}.ts`)) ? "yes" : "",
  ...layers.map(([, layer]) => (existsSync(join(root, layer, word)) ? "yes" : "")),
]);
const table = markdownTable([["Word", "What it is", "Contract", ...layers.map(([title]) => title)], ...rows]);
const current = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const wanted = current.replace(
  /(<!-- features -->\n\n)[\s\S]*?(\n\n<!-- end of features -->)/,
  (_, before, after) => `${before}${table}${after}`,
);
if (!wanted.includes(table)) throw new Error("ARCHITECTURE.md has no place for the table: <!-- features -->.");
writeOrCheck("ARCHITECTURE.md", wanted, "npm run docs:features");

function foldersIn(layer: string): string[] {
  const entries = readdirSync(join(root, layer), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
