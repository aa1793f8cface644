import { writeOrCheck } from "./generated-document.ts";
import { type FoundMachine, findMachines } from "./machines.ts";
import { mermaidOf } from "./mermaid.ts";

// `npm run docs:machines` draws every machine into machines/README.md, from the machines themselves. With --check it
// only checks whether the document is up to date.

const intro = `# The machines

\`npm run docs:machines\` draws this page from the machines in this folder, and \`npm test\` fails when it is out of date.

- A box is a state. It lists the actors that run while the state is active, and the events that it handles without a transition.
- An arrow carries its event, with its guard in brackets. If several arrows have the same event, the first one whose guard holds is taken.
- "succeeded" and "failed" are the ends of an actor, and "changed" is one of its snapshots.
- Compartments with a dashed line between them are active at the same time.
`;

function sectionOf({ file, machine, about }: FoundMachine): string {
  return `## ${machine.id}\n\n${about} ([${file}](${file}))\n\n\`\`\`mermaid\n${mermaidOf(machine)}\n\`\`\`\n`;
}

const machines = await findMachines();
writeOrCheck("machines/README.md", [intro, ...machines.map(sectionOf)].join("\n"), "npm run docs:machines");
