import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy between a server and PostgreSQL that loses answers. */
export interface CuttingProxy extends AsyncDisposable {
  /** The database's address through this proxy. */
  url: string;
  /** Number of connections that it has cut. */
  readonly cuts: number;
  /**
   * Cuts the next connections that send `marker`, at the answer to the next statement there that contains `last`:
   * PostgreSQL has executed the statement, but the server gets no answer.
   */
  cut(marker: string, options?: { last?: string; times?: number }): void;
}

/** @param target postgres://… */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const to = new URL(target);
  const wanted = { marker: "", last: "", times: 0 };
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(to.port), to.hostname);
    let isMarked = false;
    let isLast = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (!isMarked && wanted.times > 0 && text.includes(wanted.marker)) {
        isMarked = true;
        wanted.times -= 1;
      }
      isLast ||= isMarked && text.includes(wanted.last);
      database.write(bytes);
    });
    database.on("data", (bytes) => {
      if (!isLast) return void client.write(bytes);
      cuts += 1;
      client.destroy();
    });
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = new URL(target);
  url.port = String(address.port);
  return {
    url: url.href,
    get cuts() {
      return cuts;
    },
    cut: (marker, { last = marker, times = 1 } = {}) => void Object.assign(wanted, { marker, last, times }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
