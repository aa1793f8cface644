import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

/** Parts that one message may come in: browsers send ours in one. */
const maxFragments = 64;
/** Unsent bytes above which pings are not answered: their sender does not read. */
const maxUnreadBytes = 64 * 1024;
/** The ms that a client may take to confirm that a socket is closed. */
const closeMs = 5_000;

export interface WebSockets {
  readonly clients: ReadonlySet<WebSocket>;
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, opened: (socket: WebSocket) => void): void;
  /** Accepts no more sockets; open ones stay open. */
  close(): void;
}

/**
 * Sockets that can't block the server, whatever a client sends: one message, ping or pong of each is handled per turn
 * of the event loop (a packet may have ten thousand). While it is handled, no more is read, and a client that does not
 * read gets no answers.
 * @param maxMessageBytes a larger message closes the socket (1009) before it has arrived completely
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
  // A paused socket would not receive the confirmation.
  socket.resume();
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code);
  const late = setTimeout(() => socket.terminate(), closeMs);
  socket.once("close", () => clearTimeout(late));
}
