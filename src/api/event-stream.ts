/** One server-sent event (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  event: string;
  data: string;
  /** The last id received, "" before the first. */
  id: string;
}

/**
 * Parses server-sent events from an answer's body. Uses fetch, because an EventSource can't send the access token in a
 * header.
 * @param onEvent called with each complete event, in order
 */
export async function readEventStream(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerSentEvent) => void,
): Promise<void> {
  let rest = "";
  let id = "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // Safari's streams are not async iterable.
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const text = decoder.decode(chunk.value, { stream: true });
    rest += text;
    // An event of many megabytes is one long line, so it is only scanned once its end has arrived.
    if (!text.includes("\n")) continue;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block, id);
      id = event.id;
      if (event.data !== "") onEvent(event);
    }
  }
}

function parseBlock(block: string, lastId: string): ServerSentEvent {
  const event: ServerSentEvent = { event: "message", data: "", id: lastId };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    // The flag `s`: U+2028 may occur in any text, and does not end a line here.
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") event.event = value;
    else if (field === "id") event.id = value;
    else if (field === "data") data.push(value);
  }
  return { ...event, data: data.join("\n") };
}
