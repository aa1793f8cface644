import type { JsonSchema } from "#src/api/openapi.ts";

/** Indentation of one level. */
const step = "  ";
/** A type that is longer than this (characters) is broken into lines. */
const lineLength = 64;

/** Writes a schema as a TypeScript type. `?` marks optional fields; a name refers to another schema. */
export function typeText(schema: JsonSchema, indent = ""): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return [...new Set(either.map((one) => typeText(one, indent)))].join(" | ");
  if (schema.type === "array") return listText(schema.items, indent);
  if (schema.properties !== undefined) return objectText(schema.properties, schema.required ?? [], indent);
  if (typeof schema.additionalProperties === "object")
    return `{ [name: string]: ${typeText(schema.additionalProperties, indent)} }`;
  if (schema.type === "object") return "{}";
  return simple[schema.type ?? ""] ?? "any";
}

const simple: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  null: "null",
};

/** "#/components/schemas/Segment" becomes "Segment". */
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

function listText(items: JsonSchema | false | undefined, indent: string): string {
  const of = items === undefined || items === false ? "any" : typeText(items, indent);
  return / \| /.test(of) && !of.startsWith("{") ? `(${of})[]` : `${of}[]`;
}

function objectText(properties: Record<string, JsonSchema>, required: readonly string[], indent: string): string {
  const inner = indent + step;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${typeText(schema, inner)}`;
  });
  if (fields.length === 0) return "{}";
  const line = `{ ${fields.join("; ")} }`;
  if (line.length <= lineLength && !line.includes("\n")) return line;
  return `{\n${fields.map((field) => `${inner}${field};\n`).join("")}${indent}}`;
}

/** The names of the schemas that a type refers to, each once. */
export function namesIn(schema: JsonSchema): string[] {
  if (schema.$ref !== undefined) return [nameOf(schema.$ref)];
  const parts = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ];
  return [...new Set(parts.flatMap(namesIn))];
}
