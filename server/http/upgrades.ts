import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The paths of a server at which sockets are opened. */
export interface Upgrades {
  at(path: string, take: Upgrade): void;
}

/** Everything that is not registered is answered with 404. */
export function createUpgrades(server: Server): Upgrades {
  const byPath = new Map<string, Upgrade>();
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const take = byPath.get(request.url?.split("?", 1)[0] ?? "");
    if (take === undefined) refuseUpgrade(socket, "404 Not Found");
    else take(request, socket, head);
  });
  return { at: (path, take) => void byPath.set(path, take) };
}

/** @param status such as "403 Forbidden" */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
