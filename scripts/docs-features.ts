import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { writeOrCheck } from "./generated-document.ts";
import { root } from "./tools.mjs";

// `npm run docs:features` writes the table of features into ARCHITECTURE.md. With --check it only checks whether the
// table is up to date. A folder without an entry below fails in both cases.

/** Each feature's name, which is that of its folder in every layer, with its description. */
const features: Record<string, string> = {
  account: "Sign-up, passwords, mailed links, deletion",
  admin: "The superusers' pages: figures, accounts, jobs, the log of changes",
  analytics: "Analytics of the page, with consent",
  api: "/openapi.json, generated from the routes' descriptions, and the page /api that shows it",
  backup: "Backups by schedule and by command, and their restore; its page is in `admin`",
  blog: "The public blog and its feeds",
  "blog-admin": "Writing and publishing posts",
  "blog-analytics": "Views and reactions of posts",
  debug: "The pages /test/… and /debug/languages for debugging",
  "device-models": "Recognition and translation in the browser: models stored on the device",
  dictation: "Live dictation from a microphone or a tab; recovery of unsaved recordings",
  engines: "The languages that this server recognizes, translates and speaks",
  exports: "The options of a saved file",
  feeds: "Followed podcasts",
  filing: "Folders, tags, favorites, and actions on many transcripts",
  inbox: "Feedback, contact and waitlist",
  insights: "Summaries, tasks, chapters and answers by a language model",
  inspection: "The page /debug/machines, which draws the live statecharts",
  landing: "The landing page",
  models: "The models of this machine: catalogue, installation, choices",
  notes: "Highlights and notes in a transcript",
  notices: "E-mails about finished long recordings",
  offline: "The connection to the server, and the functions that work without it",
  passkeys: "Sign-in with finger, face, PIN or security key",
  people: "Sharing a transcript with accounts, for its owner and for them",
  "personal-tokens": "Access tokens for programs",
  retention: "Retention of transcripts and recordings",
  "scheduled-posting": "Posts that a language model writes on a schedule",
  search: "Search in all transcripts, and questions about them",
  "second-factor": "Two-step sign-in",
  session: "Access token, refresh, sign-in with providers, the access guard, limits on attempts (`throttle.ts`)",
  settings: "The settings page, and the export of an account",
  sharing: "Links to transcripts: the owner's panel and the visitors' page",
  shortcuts: "Keyboard shortcuts, and their list",
  subscription: "Plans, billing and usage",
  transcription: "One transcript: reading, correcting, playing, saving",
  transcriptions: "The history and the trash",
  translator: "Conversations in two languages",
  tryout: "Thirty seconds of dictation without an account",
  update: "A new version of the page",
  uploads: "Files and web addresses that become transcripts",
  vault: "Encrypted audio",
  video: "The video of a transcript, and videos with captions",
  vocabulary: "Custom vocabulary, and how its words are written",
  "voice-profiles": "Voice profiles: speakers recognized by name, with their consent",
  "watched-folder": "A folder whose recordings are transcribed",
  waveform: "The waveform of a recording",
  webhooks: "Events sent to a user's own servers",
};

/** Shared folders that features depend on, and folders for the frame of every page. */
const foundations = new Set(
  (
    "bus cluster collection config db demo errors http jobs layout log mail metrics outbound page polling processes processing shell " +
    "speech storage telemetry threads translation users"
  ).split(" "),
);

/** The columns of the table: title, and folder of the layer. */
const layers = [
  ["Machines", "machines"],
  ["Page", "src/features"],
  ["Server", "server"],
] as const;

const present = new Set(layers.flatMap(([, layer]) => foldersIn(layer)));
const unknown = [...present].filter((word) => !(word in features) && !foundations.has(word));
const gone = [...Object.keys(features), ...foundations].filter((word) => !present.has(word));
if (unknown.length > 0 || gone.length > 0) {
  for (const word of unknown) console.error(`The folder "${word}" has no description in scripts/docs-features.ts.`);
  for (const word of gone) console.error(`The folder "${word}" in scripts/docs-features.ts no longer exists.`);
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
