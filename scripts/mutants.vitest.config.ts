import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestProjectInlineConfiguration } from "vitest/config";
import { defineConfig } from "vitest/config";
import full from "../vitest.config.ts";

// The configuration with one subject's tests, for scripts/mutants.ts.

const { MUTANTS_PROJECTS = "", MUTANTS_SUBJECT = "" } = process.env;
const root = join(import.meta.dirname, "..");

/** @returns the project with only the subject's tests; undefined when it has none */
function narrowed(project: TestProjectInlineConfiguration): TestProjectInlineConfiguration[] {
  const folder = join("tests", String(project.test?.name), MUTANTS_SUBJECT);
  if (!existsSync(join(root, folder))) return [];
  return [{ ...project, test: { ...project.test, include: [`${folder}/**/*.test.{ts,tsx}`] } }];
}

const projects = (full.test?.projects ?? []).filter(
  (project): project is TestProjectInlineConfiguration =>
    typeof project === "object" && "test" in project && MUTANTS_PROJECTS.split(",").includes(String(project.test?.name)),
);

export default defineConfig({ test: { ...full.test, projects: projects.flatMap(narrowed) } });
