import { markdownTable } from "markdown-table";
import { readResults } from "#tests/bench/results.ts";
import { writeOrCheck } from "./generated-document.ts";

// `npm run docs:performance` writes docs/develop/performance.md from the figures that `npm run bench` has measured. With
// --check it only says whether the page is up to date.

const intro = `# Performance

\`npm run bench\` measures these figures; \`npm run bench -- start\` measures one group. The figures are ratios where a reference runs beside the
product in the same run. A figure that breaks its limit fails the bench.

\`npm run bench\` keeps its results in [performance.json](performance.json), and \`npm run docs:performance\` writes this page from them. What
each request costs, and what many people need: [scaling](../run/scaling.md).
`;

/** Groups that were measured on the same day and machine share a heading. */
const groups = Map.groupBy(Object.entries(readResults()), ([, { date, machine }]) => `${date}, ${machine}`);
const sections = [...groups].map(([heading, benches]) => {
  const rows = benches.flatMap(([name, { figures }]) =>
    figures.map(({ name: figure, value, limit = "" }, index) => [index === 0 ? `\`${name}\`` : "", figure.trim(), value, limit]),
  );
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  return `## ${heading}\n\n${markdownTable([["Bench", "Figure", "Measured", "Limit"], ...cells])}\n`;
});

writeOrCheck("docs/develop/performance.md", [intro, ...sections].join("\n"), "npm run docs:performance");
