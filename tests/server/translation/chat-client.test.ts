import { afterEach, describe, expect, test } from "vitest";
import { openChatClient } from "#server/translation/chat-client.ts";
import {
  breakingOff,
  type ChatServer,
  endless,
  piece,
  type Reply,
  refusing,
  saying,
  sending,
  silent,
  startChatServer,
} from "#tests/fixtures/chat-server.ts";
import { deadUrl } from "#tests/server/speech/remote-api.ts";

const opened: ChatServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function chatWith(...replies: Reply[]) {
  const server = await startChatServer((_, count) => replies[count - 1] ?? refusing(500, "nobody expected this"));
  opened.push(server);
  const chat = (timeoutMs = 5000) => openChatClient({ url: server.url, key: "sk-secret", model: "small", timeoutMs });
  return { server, chat };
}

const messages = [{ role: "user", content: "Say something" }] as const;

/** The text until the stream ended, and its failure. */
async function heard(chat: ReturnType<typeof openChatClient>, signal?: AbortSignal) {
  const pieces: string[] = [];
  const failure = await chat
    .stream(messages, { signal, onText: (text) => pieces.push(text), onRestart: () => pieces.splice(0) })
    .then(() => undefined)
    .catch((error: unknown) => error);
  return { text: pieces.join(""), pieces: pieces.length, failure };
}

describe("streamed chat answers", () => {
  test("streams an answer in pieces and sends the key only in the header", async () => {
    const { server, chat } = await chatWith(saying("Grüße, «monde» – 你好! And then a little more."));
    expect(await heard(chat())).toEqual({
      text: "Grüße, «monde» – 你好! And then a little more.",
      pieces: 7,
      failure: undefined,
    });
    expect(server.asked[0]).toMatchObject({ path: "/v1/chat/completions", model: "small", stream: true, messages });
    expect(server.asked[0]?.headers).toMatchObject({ authorization: "Bearer sk-secret", accept: "text/event-stream" });
  });

  test("reads an unstreamed answer and a stream without [DONE]", async () => {
    const whole = JSON.stringify({ choices: [{ message: { content: "all at once" } }] });
    const finished = `${piece("in ")}: a comment\n\n${piece("pieces")}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: {"choices":[]}\n\n`;
    const { chat } = await chatWith(sending(whole, "application/json"), sending(finished));
    expect(await heard(chat())).toMatchObject({ text: "all at once", failure: undefined });
    expect(await heard(chat())).toMatchObject({ text: "in pieces", failure: undefined });
  });

  test.each<[string, string]>([
    [
      "a piece without a delta, and a usage at the end",
      `${piece("all ")}data: {"choices":[{"index":0,"delta":null,"finish_reason":null}]}\n\n${piece("of it")}data: {"choices":null,"usage":{}}\n\n`,
    ],
    ["no choices", `data: {"choices":[]}\n\ndata: {"id":1}\n\n${piece("all of it")}data: [DONE]\n\n`],
    [
      "a carriage return at the end of a line",
      `: keep-alive\r\n\r\nevent: message\r\n${piece("all of it").replaceAll("\n", "\r\n")}data:[DONE]\r\n\r\n`,
    ],
    ["nothing but carriage returns", `${piece("all of it")}data: [DONE]\n\n`.replaceAll("\n", "\r")],
    ["no empty lines", `${piece("all ")}${piece("of it")}data: [DONE]`.replaceAll("\n\n", "\n")],
    ["no end of the last line", `${piece("all of it")}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`],
    ["a byte order mark", `\ufeff${piece("all of it")}data: [DONE]\n\n`],
    ["one event in several lines", 'data: {"choices":\ndata: [{"delta":{"content":"all of it"}}]}\n\ndata: [DONE]\n\n'],
    [
      "the whole message at the end",
      `${piece("all ")}${piece("of it")}data: {"choices":[{"message":{"content":"all of it"},"finish_reason":"stop"}]}\n\n`,
    ],
    [
      "the API for completions",
      'data: {"choices":[{"text":"all "}]}\n\ndata: {"choices":[{"text":"of it","finish_reason":"stop"}]}\n\n',
    ],
    [
      "parts of a content",
      'data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"all of it"}]},"finish_reason":"stop"}]}\n\n',
    ],
    [
      "thoughts beside it",
      'data: {"choices":[{"delta":{"content":null,"reasoning_content":"Hm."}}]}\n\ndata: {"choices":[{"delta":{"content":"all of it"},"finish_reason":"stop"}]}\n\n',
    ],
    ["NaN", 'data: {"choices":[{"delta":{"content":"all of it"},"logprob":NaN,"finish_reason":"stop"}]}\n\n'],
  ])("reads a stream with %s, whatever its content type", async (_, body) => {
    for (const type of ["text/event-stream", "application/json", "text/plain"]) {
      const { chat } = await chatWith(sending(body, type), sending(body, type));
      expect(await heard(chat())).toMatchObject({ text: "all of it", failure: undefined });
      expect(await chat().complete(messages)).toBe("all of it");
    }
  });

  test.each([
    ["in tags", "<think>Hm. [1]</think>\n\nThe answer.", 0],
    ["in brackets", "\n[THINK]Hm.[/THINK]The answer.", 0],
    ["without the first tag", "Hm. [1]\n</think>\n\nThe answer.", 1],
  ])("leaves out thoughts that the model writes %s", async (_, text, restarts) => {
    const { server, chat } = await chatWith(saying(text), saying(text), saying(text), saying("No thoughts."));
    const client = chat();
    for (const expected of [restarts, 0]) {
      const pieces: string[] = [];
      let restarted = 0;
      const onRestart = () => {
        restarted += 1;
        pieces.splice(0);
      };
      await client.stream(messages, { onText: (more) => pieces.push(more), onRestart });
      expect(pieces.join("").trim()).toBe("The answer.");
      // By the second time, the client knows that the model thinks.
      expect(restarted).toBe(expected);
    }
    expect((await client.complete(messages)).trim()).toBe("The answer.");
    expect(await client.complete(messages)).toBe("No thoughts.");
    expect(server.asked).toHaveLength(4);
  });

  test("keeps tags that are part of the text and drops an unfinished thought", async () => {
    const about = "They put thoughts between <think> and </think>.";
    const json = '{"translations":["It ends with </think>."]}';
    const { chat } = await chatWith(saying("Write `</think>` at the end."), saying(about), saying(json), saying("<think>Hm."));
    expect((await heard(chat())).text).toBe("Write `</think>` at the end.");
    expect((await heard(chat())).text).toBe(about);
    expect((await heard(chat())).text).toBe(json);
    expect((await heard(chat())).text).toBe("");
  });

  test("retries after 429 or 503 when the server says so", async () => {
    const { server, chat } = await chatWith(
      refusing(429, "slow down", { "retry-after": "0" }),
      refusing(503, "starting", { "retry-after": "0" }),
      saying("at last"),
    );
    expect(await heard(chat())).toMatchObject({ text: "at last", failure: undefined });
    expect(server.asked).toHaveLength(3);
  });

  test.each<[string, Reply, object]>([
    [
      "a wrong key, which is shown to nobody",
      refusing(401, "Incorrect API key: sk-secret"),
      { message: expect.stringMatching(/401: Incorrect API key: \*\*\*$/) },
    ],
    ["a server that asks to wait for an hour", refusing(429, "quota", { "retry-after": "3600" }), { status: 429 }],
    ["an error of the server's", refusing(500, "out of memory"), { status: 500 }],
    ["a connection that breaks off", breakingOff("Once upon"), { kind: "unreachable" }],
    ["an answer that stops in the middle", sending(piece("Once upon")), { kind: "unreachable" }],
    ...["length", "model_length", "MAX_TOKENS"].map((reason): [string, Reply, object] => [
      `a model that stops at its limit (${reason})`,
      sending(`data: {"choices":[{"delta":{},"finish_reason":"${reason}"}]}\n\n`),
      { message: expect.stringMatching(/limit/) },
    ]),
    [
      "an error in a list, as Gemini sends it",
      sending('[{"error":{"code":400,"message":"API key not valid"}}]', "application/json"),
      { message: expect.stringMatching(/answered with an error: API key not valid$/) },
    ],
    [
      "an error within the stream",
      sending('data: {"error":{"message":"overloaded"}}\n\n'),
      { kind: "garbage", message: expect.stringMatching(/^The server at 127\.0\.0\.1:\d+ answered with an error: overloaded$/) },
    ],
    [
      "an error in a last line without an end",
      sending('data: {"error":"overloaded"}'),
      { message: expect.stringMatching(/overloaded$/) },
    ],
    ["an event that is cut off", sending(`${piece("Once")}data: {"choices":[{"delta":{"content":"up`), { kind: "unreachable" }],
    ["events that are no JSON", sending("data: <html>\n\n"), { kind: "garbage" }],
    ["a stream without events", sending("not found"), { kind: "garbage" }],
    ["a page instead of an answer", sending("<html>", "text/html"), { kind: "garbage" }],
    ["an answer without text", sending('{"choices":[]}', "application/json"), { kind: "garbage" }],
    ["a text without end", endless, { message: expect.stringMatching(/sends an endless answer/) }],
    ["a line without end", sending(`data: ${"x".repeat(2_000_000)}`), { kind: "garbage" }],
  ])("reports a failure of a chat stream: %s", async (_, reply, failure) => {
    const { chat } = await chatWith(reply);
    expect((await heard(chat())).failure).toMatchObject({ name: "RemoteError", ...failure });
  });

  test("gives up when the server stays silent before or during the answer", async () => {
    const never = new Promise<void>(() => undefined);
    const { server, chat } = await chatWith(silent, saying("Once upon a time", { holdAfter: 7, until: never }));
    expect((await heard(chat(60))).failure).toMatchObject({ kind: "timeout" });
    expect(await heard(chat(200))).toMatchObject({ text: "Once up", failure: { kind: "timeout" } });
    expect(await server.asked[1]?.left).toBe(true);
  });

  test("gives up when an answer takes too long in total", async () => {
    const dripping: Reply = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(piece("x")), 20);
      response.once("close", () => clearInterval(timer));
    };
    const { chat } = await chatWith(dripping);
    expect((await heard(chat(100))).failure).toMatchObject({ kind: "timeout" });
  });

  test("closes the connection when the caller aborts a streaming answer", async () => {
    const never = new Promise<void>(() => undefined);
    const { server, chat } = await chatWith(saying("Once upon a time", { holdAfter: 7, until: never }));
    const called = new AbortController();
    const reason = new Error("called off");
    const pieces: string[] = [];
    const onText = (text: string) => {
      pieces.push(text);
      called.abort(reason);
    };
    const asked = chat().stream(messages, { signal: called.signal, onText, onRestart: () => undefined });
    await expect(asked).rejects.toBe(reason);
    expect(pieces).toEqual(["Once up"]);
    expect(await server.asked[0]?.left).toBe(true);
  });

  test("stops waiting for a retry when the caller aborts", async () => {
    const { server, chat } = await chatWith(refusing(429, "slow down", { "retry-after": "20" }));
    const called = new AbortController();
    const asked = heard(chat(), called.signal);
    while (server.asked.length === 0) await new Promise(setImmediate);
    await server.asked[0]?.left;
    called.abort(new Error("called off"));
    expect((await asked).failure).toMatchObject({ message: "called off" });
  });

  test("reports a server that can't be reached", async () => {
    const chat = openChatClient({ url: `${await deadUrl()}/v1` });
    expect((await heard(chat)).failure).toMatchObject({ kind: "unreachable" });
  });
});
