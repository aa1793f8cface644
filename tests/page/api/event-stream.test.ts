import { describe, expect, test } from "vitest";
import { readEventStream, type ServerSentEvent } from "#src/api/event-stream.ts";

/** Reads a stream whose bytes arrive in these pieces. */
async function read(...pieces: (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  await readEventStream(body, (event) => events.push(event));
  return events;
}

const data = async (...pieces: string[]) => (await read(...pieces)).map((event) => event.data);

describe("server-sent event", () => {
  test("an event has a kind, an id and its text", async () => {
    expect(await read('id: 12\nevent: transcription\ndata: {"a": 1}\n\n')).toEqual([
      { id: "12", event: "transcription", data: '{"a": 1}' },
    ]);
  });

  test('an event without kind and id is a "message" with the last id', async () => {
    expect(await read("id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\n")).toEqual([
      { id: "1", event: "message", data: "a" },
      { id: "1", event: "message", data: "b" },
      { id: "2", event: "message", data: "c" },
    ]);
  });

  test("an event keeps several lines, including empty ones", async () => {
    expect(await data("data: one\ndata:two\ndata\ndata:  three\n\n")).toEqual(["one\ntwo\n\n three"]);
  });

  test("the server-sent event may contain colons and Unicode line separators", async () => {
    expect(await data("data: a: b: c\n\n")).toEqual(["a: b: c"]);
    const text = JSON.stringify("one\u2028two\u2029three\u0085");
    expect(await data(`data: ${text}\n\n`)).toEqual([text]);
  });

  test("the server-sent event is dropped if it is incomplete when the stream ends", async () => {
    expect(await data("data: a\n\ndata: b\n")).toEqual(["a"]);
    expect(await data("data: a")).toEqual([]);
  });

  test("the server-sent event is ignored without text, like comments and unknown fields", async () => {
    expect(await data(":\n\n", "event: x\n\n", ": hello\ndata: a\nretry: 10\nfoo: bar\n\n", ":data: b\n\n", "\n\n\n\n")).toEqual([
      "a",
    ]);
  });
});

const whole = '\uFEFF:\n\nid: 7\nevent: transcription\ndata: grüße 👋🏽\ndata: más\n\n: quiet\n\nid: 8\ndata: {"b": "語"}\n\n';
const expected: ServerSentEvent[] = [
  { id: "7", event: "transcription", data: "grüße 👋🏽\nmás" },
  { id: "8", event: "message", data: '{"b": "語"}' },
];

describe.each([
  ["LF", whole],
  ["CRLF", whole.replaceAll("\n", "\r\n")],
])("event lines that end with %s", (_, text) => {
  const bytes = new TextEncoder().encode(text);

  test("events are read completely, whatever ends their lines", async () => {
    expect(await read(text)).toEqual(expected);
  });

  test("events are read despite any single cut, even inside a character", async () => {
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read(bytes.subarray(0, at), bytes.subarray(at)), `cut at ${at}`).toEqual(expected);
    }
  });

  test.each([1, 2, 3, 5])("events are read in pieces of %d bytes", async (size) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
    expect(await read(...pieces)).toEqual(expected);
  });
});

test("reads events as they arrive, not at the end of the stream", async () => {
  const events: string[] = [];
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const done = readEventStream(readable, (event) => events.push(event.data));
  await writer.write(new TextEncoder().encode("data: a\n\ndata: b"));
  expect(events).toEqual(["a"]);
  await writer.write(new TextEncoder().encode("\n\n"));
  expect(events).toEqual(["a", "b"]);
  await writer.close();
  await done;
});

test("an event stream rejects when its connection breaks", async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError("network")) });
  await expect(readEventStream(body, () => {})).rejects.toThrow("network");
});

test("reads an event of ten megabytes in many pieces only once", async () => {
  const piece = new TextEncoder().encode("x".repeat(4096));
  const pieces = Array.from({ length: 2560 }, () => piece);
  const [event] = await read("data: ", ...pieces, "\n\n");
  expect(event?.data.length).toBe(2560 * 4096);
});
