import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { arbitraryOf, isSchema } from "#tests/fixtures/arbitrary-of.ts";
import { fuzz, hostileJson, runs } from "#tests/fixtures/fuzz.ts";

const root = join(import.meta.dirname, "../../..");

/** Lists all modules that export schemas, so that new schemas are tested, too. */
async function modulesWithSchemas(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["contract", "server", "src", "machines"]) {
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      if (!file.endsWith(".ts") || file.endsWith(".d.ts")) continue;
      const text = await readFile(join(root, folder, file), "utf8");
      if (
        /^export const \w+(: [^=]+)? = (v\.)?(pipe|object|variant|union|picklist|array|looseObject|record|string|optional)\(/m.test(
          text,
        )
      )
        found.push(join(folder, file));
      else if (/^export const \w+ = v\./m.test(text)) found.push(join(folder, file));
    }
  }
  return found.toSorted();
}

async function schemas(): Promise<[string, v.GenericSchema][]> {
  const found: [string, v.GenericSchema][] = [];
  for (const file of await modulesWithSchemas()) {
    const exported: Record<string, unknown> = await import(join(root, file));
    for (const [name, value] of Object.entries(exported)) if (isSchema(value)) found.push([`${file} ${name}`, value]);
  }
  return found;
}

const all = await schemas();

/** Names of the properties that every object inherits; no data may add one. */
const inherited = () => Object.getOwnPropertyNames(Object.prototype).toSorted().join(" ");

describe(`schemas (seed ${fuzz.seed})`, () => {
  test("finds the schemas of all modules", () => {
    expect(all.length).toBeGreaterThan(120);
  });

  test("every schema judges any value without failing or changing Object.prototype", () => {
    const before = inherited();
    for (const [name, schema] of all) {
      const judged = fc.property(fc.oneof(arbitraryOf(schema), hostileJson), (value) => {
        const { success, output, issues } = v.safeParse(schema, value);
        if (success) JSON.stringify(output);
        else expect(issues.length).toBeGreaterThan(0);
      });
      try {
        fc.assert(judged, runs(25));
      } catch (error) {
        throw new Error(name, { cause: error });
      }
    }
    expect(inherited()).toBe(before);
  });

  test("every schema that refuses a value gives a message", () => {
    for (const [name, schema] of all) {
      for (const value of [Symbol("x"), () => 1, Number.NaN, new Date(Number.NaN), new Map(), 1n]) {
        const { success, issues } = v.safeParse(schema, value);
        if (!success) expect(issues[0]?.message, name).not.toBe("");
      }
    }
  });
});
