import fc from "fast-check";
import { expect, test } from "vitest";
import { readChatAnswer } from "#server/translation/chat-answer.ts";
import { withoutThoughts } from "#server/translation/thoughts.ts";
import { fuzz, hostileText, runs } from "#tests/fixtures/fuzz.ts";

const source = { url: "http://localhost/v1/chat/completions", key: undefined };
const text = hostileText.map((own) => own.toWellFormed());

const streamOf = (pieces: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

/** Lines of a stream that carry no text. */
const noise = fc.constantFrom(
  ...[": keep-alive", "event: message", "id: 7", 'data: {"choices":[]}', 'data: {"choices":null,"usage":{}}'],
  ...[
    'data:{"choices":[{"delta":null}]}',
    'data: {"choices":[{"delta":{"role":"assistant","content":null}}]}',
    'data: {"id":1,"error":null}',
  ],
);
const contents = fc.oneof(
  text.map((content) => ({ content, delta: { content } })),
  text.map((content) => ({ content, delta: { content: [{ type: "text", text: content }], reasoning_content: "Hm." } })),
);
const chunk = fc.record({
  before: fc.array(noise, { maxLength: 2 }),
  said: contents,
  space: fc.constantFrom("", " "),
});
const stream = fc.record({
  chunks: fc.array(chunk, { maxLength: 6 }),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  mark: fc.constantFrom("", "\ufeff"),
  end: fc.constantFrom("data: [DONE]", "data:[DONE]", 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}'),
  isClosed: fc.boolean(),
});

test(`reads the same text however a stream is written and cut (seed ${fuzz.seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      stream,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      async (written, sizes) => {
        const { chunks, newline, mark, end, isClosed } = written;
        const lines = chunks.flatMap(({ before, said: { delta }, space }) => [
          ...before.flatMap((line) => [line, ""]),
          `data:${space}${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}`,
          "",
        ]);
        const bytes = Buffer.from(mark + [...lines, end, ...(isClosed ? ["", ""] : [])].join(newline));
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; ) {
          const size = sizes[pieces.length % sizes.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        let said = "";
        const onText = (more: string) => {
          said += more;
        };
        await readChatAnswer(new Response(streamOf(pieces)), { source, onText });
        expect(said).toBe(chunks.map(({ said: { content } }) => content).join(""));
      },
    ),
    runs(200),
  );
});

test(`leaves out a model's thoughts however the text is cut (seed ${fuzz.seed})`, () => {
  const plain = text.filter((own) => !/[<[◁]/.test(own));
  const tags = fc.constantFrom<[string, string]>(
    ["<think>", "</think>"],
    [" <Thinking>", "</Thinking>"],
    ["<think></think>\n<think>", "</think>"],
    ["<seed:think>", "</seed:think>"],
    ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
    ["<|channel>thought\n", "<channel|>"],
    ["", "</think>"],
    ["", ""],
  );
  fc.assert(
    fc.property(
      plain,
      tags,
      plain,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (thought, [from, to], answer, size, isThinker) => {
        const all = to === "" ? answer : `${from}x${thought}\n${to}${answer}`;
        let said = "";
        const onText = (more: string) => {
          said += more;
        };
        const onRestart = () => {
          said = "";
        };
        const filter = withoutThoughts({ isThinker, onText, onRestart });
        for (let at = 0; at < all.length; at += size) filter.feed(all.slice(at, at + size));
        filter.end();
        expect(said).toBe(answer);
      },
    ),
    runs(300),
  );
});
