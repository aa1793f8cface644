import { expect, test } from "vitest";
import { callsOf, curlOf, messagesOf } from "#src/features/api/sections.ts";
import { namesIn, typeText } from "#src/features/api/type-text.ts";

test.each([
  [{ type: "string" }, "string"],
  [{}, "any"],
  [{ const: "none" }, '"none"'],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ $ref: "#/components/schemas/Segment" }, "Segment"],
  [{ type: "array", items: { $ref: "#/components/schemas/Word" } }, "Word[]"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } }, "(string | null)[]"],
  [{ type: "array" }, "any[]"],
  [{ anyOf: [{ type: "number" }, { type: "number" }, { type: "null" }] }, "number | null"],
  [{ type: "object", additionalProperties: { type: "number" } }, "{ [name: string]: number }"],
  [{ type: "object", properties: {} }, "{}"],
  [{ type: "object" }, "{}"],
  [
    { type: "object", properties: { id: { type: "string" }, end: { type: "number" } }, required: ["id"] },
    "{ id: string; end?: number }",
  ],
  [{ type: "object", properties: { "a-b": { type: "boolean" } }, required: ["a-b"] }, '{ "a-b": boolean }'],
])("shows the type %j as %s", (schema, text) => {
  expect(typeText(schema)).toBe(text);
});

test("breaks long types into indented lines", () => {
  const inner = {
    type: "object",
    properties: { aRatherLongName: { type: "string" }, another: { type: "integer" } },
    required: [],
  };
  const schema = { type: "object", properties: { first: { type: "array", items: inner }, second: inner }, required: ["second"] };
  expect(typeText(schema)).toBe(
    [
      "{",
      "  first?: { aRatherLongName?: string; another?: integer }[];",
      "  second: { aRatherLongName?: string; another?: integer };",
      "}",
    ].join("\n"),
  );
  const wide = { type: "object", properties: { outer: { ...schema, required: ["first", "second"] } }, required: ["outer"] };
  expect(typeText(wide).split("\n")[2]).toBe("    first: { aRatherLongName?: string; another?: integer }[];");
});

test("finds the names in a type at any depth, each once", () => {
  const word = { $ref: "#/components/schemas/Word" };
  const schema = {
    anyOf: [{ type: "array", items: word }, { type: "object", properties: { word } }, { additionalProperties: word }],
  };
  expect(namesIn(schema)).toEqual(["Word"]);
});

const answer = { responses: { "200": { content: {} } }, parameters: [] };
const read = { ...answer, operationId: "read", tags: ["Texts"], summary: "Read", security: [{ token: ["texts:read"] }] };
const send = {
  ...answer,
  tags: ["Files"],
  summary: "Send",
  security: [],
  parameters: [
    { name: "kind", in: "query", required: true, schema: {} },
    { name: "more", in: "query", required: false, schema: {} },
    { name: "X-Part", in: "header", required: true, schema: {} },
  ],
  requestBody: { content: { "multipart/form-data": {} } },
};
const description = {
  info: { title: "Parlance" },
  paths: {
    "/texts/{id}": { get: read, put: { ...read, requestBody: { content: { "application/json": {} } } } },
    "/files": { post: send },
  },
  webhooks: { "text.read": { post: { ...answer, tags: ["Messages"], summary: "Sent", security: [] } } },
  components: { schemas: {} },
};

test("groups calls by tag with their scopes, and webhook messages separately", () => {
  const sections = callsOf(description);
  expect(sections.map(({ title, anchor, entries }) => [title, anchor, entries.length])).toEqual([
    ["Texts", "texts", 2],
    ["Files", "files", 1],
  ]);
  expect(sections[0]?.entries[0]).toMatchObject({ anchor: "read", method: "GET", path: "/texts/{id}", scopes: ["texts:read"] });
  expect(sections[1]?.entries[0]).toMatchObject({ anchor: "post-files", scopes: [] });
  expect(messagesOf(description)).toMatchObject([
    { anchor: "message-messages", entries: [{ anchor: "message-post-text-read" }] },
  ]);
});

test("shows a call as a shell command", () => {
  const [texts, files] = callsOf(description);
  const lines = [...(texts?.entries ?? []), ...(files?.entries ?? [])].map((entry) => curlOf(entry, "https://api.example"));
  const token = '  -H "Authorization: Bearer $PARLANCE_TOKEN" \\';
  expect(lines).toEqual([
    ["curl \\", token, '  "https://api.example/texts/{id}"'].join("\n"),
    [
      ...["curl -X PUT \\", token, '  -H "Content-Type: application/json" \\', "  -d @body.json \\"],
      '  "https://api.example/texts/{id}"',
    ].join("\n"),
    ["curl -X POST \\", '  -H "X-Part: …" \\', '  -F "file=@talk.wav" \\', '  "https://api.example/files?kind={kind}"'].join(
      "\n",
    ),
  ]);
});
