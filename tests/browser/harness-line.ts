import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "#tests/fixtures/free-port.ts";

/** A connection between the page and the server's API that a test can cut. */
export interface Line extends AsyncDisposable {
  /** The server's variables: its port, and the API's address for the page. */
  readonly env: { PORT: string; API_URL: string };
  /** Breaks all connections and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
}

export async function openLine(): Promise<Line> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isCut = false;
  const relay = createServer((page) => {
    if (isCut) return void page.resetAndDestroy();
    const api = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [page, api],
      [api, page],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  return {
    env: { PORT: String(port), API_URL: `http://localhost:${await listen(relay)}` },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") return reject(new Error("The relay has no port."));
      resolve(address.port);
    });
  });
}
