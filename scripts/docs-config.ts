import { markdownTable } from "markdown-table";
import { variableGroups } from "#server/config/environment.ts";
import { writeOrCheck } from "./generated-document.ts";

// `npm run docs:config` writes docs/run/configuration.md and .env.example from the schema of the environment. With
// --check it only checks whether both are up to date.

const command = "npm run docs:config";

const intro = `# Configuration

Parlance reads its settings from environment variables. You can leave out every one of them. \`npm run docs:config\` writes this
page and [.env.example](../../.env.example) from the schema that checks the variables.

## Set variables

Put one or two variables in front of a command:

\`\`\`sh
WEB_PORT=8080 PARLANCE_DATA=/srv/parlance npm start
\`\`\`

For more variables copy the example and remove the \`#\` in front of those that you set:

\`\`\`sh
cp .env.example .env
\`\`\`

- \`docker compose up\` reads \`.env\` by itself. It also needs \`POSTGRES_PASSWORD\` there.
- systemd reads \`/etc/parlance.env\` ([install.md](install.md)): copy the file there.
- \`npm start\` and the other npm commands read the variables of the shell. Load the file first: \`set -a; . ./.env; set +a\`.

Put a value with spaces into double quotes: \`MAIL_FROM="Parlance <no-reply@example.org>"\`.

Commands such as \`npm run models\` and \`npm run backup\` need the same variables as the server.

A wrong value stops the start. The message names the variable and the reason. \`npm run doctor\` checks the values without a start.
`;

const envIntro = `# Settings of Parlance. Copy this file to .env and remove the # in front of each variable that you set.
# docs/run/configuration.md says who reads .env. \`${command}\` writes this file.

# Only for compose.yaml: the password of its PostgreSQL, letters and digits.
#POSTGRES_PASSWORD=
`;

writeOrCheck("docs/run/configuration.md", [intro, ...variableGroups.map(writeSection)].join("\n"), command);
writeOrCheck(".env.example", [envIntro, ...variableGroups.map(writeExamples)].join("\n"), command);

type Group = (typeof variableGroups)[number];

function writeSection({ title, variables }: Group): string {
  const rows = variables.map(({ name, fallback, meaning }) => [code(name), fallback && code(fallback), escapeMarkdown(meaning)]);
  return `## ${title}\n\n${markdownTable([["Variable", "Default", "Meaning"], ...rows])}\n`;
}

function writeExamples({ title, variables }: Group): string {
  const examples = variables.map(({ name, fallback, meaning }) => `# ${meaning}\n#${name}=${fallback}\n`);
  return [`# ${title}\n`, ...examples].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Escapes Markdown, so that "<model>" and "*.example.org" appear unchanged. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\<>*|]/g, "\\$&");
}
