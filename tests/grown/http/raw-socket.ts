import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A frame that a WebSocket client may send, but no library does. RFC 6455, section 5.2. */
interface Frame {
  opcode: "continuation" | "text" | "binary" | "close" | "ping" | "pong";
  payload?: Buffer;
  /** Default: it is the last of its message. */
  isLast?: boolean;
  /** The length in its header. Default: the true one. */
  saidBytes?: bigint;
}

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** A frame of a client: masked, with zeros, which leave it as it is. */
export function frameOf({ opcode, payload = Buffer.alloc(0), isLast = true, saidBytes = BigInt(payload.length) }: Frame): Buffer {
  const first = (isLast ? 0x80 : 0) | opcodes[opcode];
  const mask = Buffer.alloc(4);
  if (saidBytes < 126n) return Buffer.concat([Buffer.from([first, 0x80 | Number(saidBytes)]), mask, payload]);
  if (saidBytes < 65_536n) {
    const head = Buffer.from([first, 0x80 | 126, 0, 0]);
    head.writeUInt16BE(Number(saidBytes), 2);
    return Buffer.concat([head, mask, payload]);
  }
  const head = Buffer.from([first, 0x80 | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(saidBytes, 2);
  return Buffer.concat([head, mask, payload]);
}

/** A connection of which every byte is the test's. */
export class RawSocket {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
    });
    onTestFinished(() => void socket.destroy());
  }

  /**
   * @param from an address of this machine: each is a separate network
   * @returns undefined when the connection is refused
   */
  static async open(url: string, from = "127.0.0.1"): Promise<RawSocket | undefined> {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: from });
    const raw = new RawSocket(socket);
    await Promise.race([new Promise((resolve) => socket.once("connect", resolve)), raw.closed]);
    return socket.destroyed ? undefined : raw;
  }

  /** The same with a WebSocket's handshake. @returns undefined when it is not let in */
  static async openWebSocket(url: string, path: string, options: { from?: string; origin?: string } = {}) {
    const raw = await RawSocket.open(url, options.from);
    if (raw === undefined) return undefined;
    const { host } = new URL(url);
    const origin = options.origin === undefined ? "" : `Origin: ${options.origin}\r\n`;
    const key = randomBytes(16).toString("base64");
    const upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
    raw.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${origin}${upgrade}Sec-WebSocket-Key: ${key}\r\n\r\n`);
    const isIn = () => raw.#received.includes("\r\n\r\n");
    while (!isIn() && !raw.isOver) await Promise.race([once(raw.#socket, "data"), raw.closed]).catch(() => {});
    return raw.#received.toString("latin1", 0, 12) === "HTTP/1.1 101" ? raw : undefined;
  }

  get isOver(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Takes nothing that the server sends from now on. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Resolves when the system has taken it, or the connection has ended. */
  async send(bytes: Buffer | string): Promise<void> {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    if (!this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes) : bytes))
      await Promise.race([once(this.#socket, "drain"), this.closed]).catch(() => {});
  }

  /**
   * Sends the same bytes repeatedly.
   * @returns when the connection has ended, or everything was sent
   */
  async flood(bytes: Buffer, times: number): Promise<void> {
    for (let time = 0; time < times && !this.isOver; time++) await this.send(bytes);
  }

  /** The code with which the server has closed it; undefined when it was cut off. */
  get closeCode(): number | undefined {
    let at = this.#received.indexOf("\r\n\r\n") + 4;
    while (at + 4 <= this.#received.length) {
      const [first = 0, short = 0] = this.#received.subarray(at, at + 2);
      if ((first & 15) === opcodes.close) return short >= 2 ? this.#received.readUInt16BE(at + 2) : undefined;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      const length =
        short === 127
          ? Number(this.#received.readBigUInt64BE(at + 2))
          : short === 126
            ? this.#received.readUInt16BE(at + 2)
            : short;
      at += head + length;
    }
    return undefined;
  }
}
