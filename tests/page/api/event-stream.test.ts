import { describe, expect, test } from "vitest";
import { readEventStream, type ServerSentEvent } from "#src/api/event-stream.ts";

/** What is read when the bytes come in these pieces. */
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

describe("an event", () => {
  test("has a kind, an id and its text", async () => {
    expect(await read('id: 12\nevent: transcription\ndata: {"a": 1}\n\n')).toEqual([
      { id: "12", event: "transcription", data: '{"a": 1}' },
    ]);
  });

  test("without a kind is a message; without an id it has the last one", async () => {
    expect(await read("id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\n")).toEqual([
      { id: "1", event: "message", data: "a" },
      { id: "1", event: "message", data: "b" },
      { id: "2", event: "message", data: "c" },
    ]);
  });

  test("of several lines keeps them as lines, empty ones too", async () => {
    expect(await data("data: one\ndata:two\ndata\ndata:  three\n\n")).toEqual(["one\ntwo\n\n three"]);
  });

  test("may hold colons, and characters that end lines elsewhere", async () => {
    expect(await data("data: a: b: c\n\n")).toEqual(["a: b: c"]);
    const text = JSON.stringify("one\u2028two\u2029three\u0085");
    expect(await data(`data: ${text}\n\n`)).toEqual([text]);
  });

  test("that is not whole when the stream ends is none", async () => {
    expect(await data("data: a\n\ndata: b\n")).toEqual(["a"]);
    expect(await data("data: a")).toEqual([]);
  });

  test("without text is none, nor are comments and fields that nobody knows", async () => {
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
])("lines that end with %s", (_, text) => {
  const bytes = new TextEncoder().encode(text);

  test("are read whole", async () => {
    expect(await read(text)).toEqual(expected);
  });

  test("are read wherever they are cut once, in the middle of a character too", async () => {
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read(bytes.subarray(0, at), bytes.subarray(at)), `cut at ${at}`).toEqual(expected);
    }
  });

  test.each([1, 2, 3, 5])("are read in pieces of %d bytes", async (size) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
    expect(await read(...pieces)).toEqual(expected);
  });
});

test("events are read as they come, not when the stream ends", async () => {
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

test("a connection that breaks rejects for whoever reads", async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError("network")) });
  await expect(readEventStream(body, () => {})).rejects.toThrow("network");
});

test("an event of ten megabytes in many pieces is looked through once", async () => {
  const piece = new TextEncoder().encode("x".repeat(4096));
  const pieces = Array.from({ length: 2560 }, () => piece);
  const [event] = await read("data: ", ...pieces, "\n\n");
  expect(event?.data.length).toBe(2560 * 4096);
});
