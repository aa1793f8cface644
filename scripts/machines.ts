import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyStateMachine, StateMachine } from "xstate";
import { root } from "./tools.mjs";

export interface FoundMachine {
  /** The file, relative to machines/: "session/machine.ts". */
  file: string;
  /** Name of its export. */
  name: string;
  machine: AnyStateMachine;
  /** The first sentence of its docstring. */
  about: string;
}

const folder = join(root, "machines");

/** All machines exported by files in machines/, sorted by name. @throws Error when one has no docstring */
export async function findMachines(): Promise<FoundMachine[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const found = await Promise.all(files.map(machinesIn));
  return found.flat().sort((one, other) => one.machine.id.localeCompare(other.machine.id, "en"));
}

async function machinesIn(file: string): Promise<FoundMachine[]> {
  const path = join(folder, file);
  const exported: object = await import(pathToFileURL(path).href);
  return Object.entries(exported).flatMap(([name, value]) =>
    value instanceof StateMachine ? [{ file, name, machine: value, about: aboutOf(readFileSync(path, "utf8"), name, file) }] : [],
  );
}

function aboutOf(source: string, name: string, file: string): string {
  const before = source.slice(0, source.indexOf(`export const ${name} `)).trimEnd();
  const comment = before.endsWith("*/") ? before.slice(before.lastIndexOf("/**") + 3, -2) : "";
  const text = comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s*/, ""))
    .join(" ")
    .trim();
  if (text === "") throw new Error(`${name} in machines/${file} has no docstring: describe it in a sentence.`);
  return /^.*?[.!?](?=\s+[A-Z`]|$)/.exec(text)?.[0] ?? text;
}
