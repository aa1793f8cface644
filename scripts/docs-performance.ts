import { markdownTable } from "markdown-table";
import { readResults } from "#tests/bench/results.ts";
import { writeOrCheck } from "./generated-document.ts";

// `npm run docs:performance` writes docs/develop/performance.md from the figures measured by `npm run bench`. With
// --check it only checks whether the document is up to date. Figures without a limit are only in the JSON.

const intro = `# Performance

\`npm run bench\` measures these figures, and \`npm run bench -- start\` one group of them. Where it is possible, a figure compares the
product with a reference in the same run. A figure beyond its limit fails the bench. The limits are for a quiet machine with two fast
processors.

The bench keeps its results in [performance.json](performance.json), and \`npm run docs:performance\` writes this page from them. What each
request costs, and what many people need: [scaling](../run/scaling.md).
`;

/** Groups that were measured on the same day and machine share a heading. */
const groups = Map.groupBy(Object.entries(readResults()), ([, { date, machine }]) => `${date}, ${machine}`);
const sections = [...groups].map(([heading, benches]) => {
  const rows = benches.flatMap(([name, { figures }]) =>
    figures
      .filter(({ limit }) => limit !== undefined)
      .map((figure, index) => [
        index === 0 ? `\`${name}\`` : "",
        figure.name.trim().replaceAll("|", "\\|"),
        figure.value,
        figure.limit,
        figure.ok ? "yes" : "no",
      ]),
  );
  return `## ${heading}\n\n${markdownTable([["Bench", "Figure", "Measured", "Limit", "Kept"], ...rows])}\n`;
});

writeOrCheck("docs/develop/performance.md", [intro, ...sections].join("\n"), "npm run docs:performance");
