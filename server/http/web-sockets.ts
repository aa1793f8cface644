import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

/** Parts that one message may come in: browsers send ours in one. */
const maxFragments = 64;
/** Unsent bytes above which pings are not answered: whoever sends them does not read. */
const maxUnreadBytes = 64 * 1024;
/** How long a client may take to confirm that a socket is closed (milliseconds). */
const closeMs = 5_000;

export interface WebSockets {
  readonly clients: ReadonlySet<WebSocket>;
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, opened: (socket: WebSocket) => void): void;
  /** Takes no more; those that are open stay so. */
  close(): void;
}

/**
 * Sockets that cannot hold up the server, whatever a client sends: one message, ping or pong of each is handled in a turn of the event loop
 * (a packet may have ten thousand), what is not handled yet is not read, and what is not read by the client is not answered.
 * @param maxMessageBytes a larger message closes the socket (1009), before it is there as a whole
 */
export function openWebSockets(maxMessageBytes: number): WebSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    maxFragments,
    perMessageDeflate: false,
    allowSynchronousEvents: false,
    autoPong: false,
  });
  return {
    clients: sockets.clients,
    accept: (request, socket, head, opened) =>
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on("ping", (data) => {
          const isOpen = webSocket.readyState === webSocket.OPEN;
          if (isOpen && webSocket.bufferedAmount <= maxUnreadBytes) webSocket.pong(data);
        });
        opened(webSocket);
      }),
    close: () => sockets.close(),
  };
}

/** Closes a socket; one whose client does not confirm it in five seconds is cut off. */
export function closeInTime(socket: WebSocket, code: number): void {
  // A paused one would not hear the confirmation.
  socket.resume();
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code);
  const late = setTimeout(() => socket.terminate(), closeMs);
  socket.once("close", () => clearTimeout(late));
}
