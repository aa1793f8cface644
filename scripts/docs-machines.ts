import { writeOrCheck } from "./generated-document.ts";
import { type FoundMachine, findMachines } from "./machines.ts";
import { mermaidOf } from "./mermaid.ts";

// `npm run docs:machines` draws every machine into machines/README.md, from the machines themselves. With --check it only says
// whether what is there is what it would write.

const intro = `# The machines

What Parlance does, drawn from the machines in this folder by \`npm run docs:machines\`; \`npm test\` fails when it is out of date. A box is
a state; what it runs while it is active stands in it, and so does what it hears without being left. An arrow carries the event, and in
brackets the guard that must hold; of several arrows with one event the first whose guard holds is taken. "succeeded" and "failed" are the
ends of what a state runs, "changed" is a step of it. Compartments with a dashed line between them are active side by side.
`;

function sectionOf({ file, machine, about }: FoundMachine): string {
  return `## ${machine.id}\n\n${about} ([${file}](${file}))\n\n\`\`\`mermaid\n${mermaidOf(machine)}\n\`\`\`\n`;
}

const machines = await findMachines();
writeOrCheck("machines/README.md", [intro, ...machines.map(sectionOf)].join("\n"), "npm run docs:machines");
