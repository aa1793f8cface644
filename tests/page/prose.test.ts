import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findCommentFaults, findSentenceFaults, findTitleFaults } from "#scripts/prose-rules.ts";
import { root } from "#scripts/tools.mjs";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

describe("the check of prose", () => {
  test("finds titles that begin with a banned word, also around other tests and above a table", () => {
    const source = `
describe("What is kept", () => {
  test("keeps what was typed", () => {});
  test.each([["that is a row"]])("are %s", () => {});
  test("islands are no verb", () => {});
});
`;
    expect(findTitleFaults("a.test.ts", source)).toEqual([
      'a.test.ts:2 The title begins with "what": name the subject, or begin with a verb.',
      'a.test.ts:4 The title begins with "are": name the subject, or begin with a verb.',
    ]);
  });

  test("finds comment lines over 120 characters, but not quotations and code", () => {
    const long = "word ".repeat(25);
    const source = [
      `// ${long}`,
      `// SPEC 4 Session: "${long}"`,
      `// biome-ignore lint/a11y/x: ${long}`,
      `const text = "${long}";`,
      "/**",
      " * short",
      ` * ${long}`,
      " */",
      "export {};",
    ].join("\n");
    expect(findCommentFaults("a.ts", source).map((fault) => fault.slice(0, 7))).toEqual(["a.ts:1 ", "a.ts:7 "]);
  });

  test("finds documents whose sentences are long on average, without their tables and code", () => {
    const words = (count: number) => `${"word ".repeat(count)}end. `;
    const apart = `\n\n| ${words(90)} |\n| --- |\n\n\`\`\`sh\n${words(90)}\n\`\`\`\n\n# ${words(90)}`;
    expect(findSentenceFaults("a.md", `W${words(30)}\n- W${words(8)}${apart}`)).toEqual([]);
    expect(findSentenceFaults("a.md", `W${words(30)}\n- W${words(12)}`)).toEqual([
      "a.md Its sentences have 22.0 words on average, and 20 at most: split the long ones.",
    ]);
  });
});

test("the commit-msg hook refuses a subject of more than 72 characters, and no long body", async () => {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init");
  const person = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", `core.hooksPath=${join(root, ".githooks")}`];
  const commit = (subject: string) => git(...person, "commit", "--allow-empty", "-m", subject, "-m", "body ".repeat(30));
  expect(commit("é".repeat(72)).status).toBe(0);
  const refused = commit("e".repeat(73));
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("The subject has 73 characters, and 72 at most.");
});
