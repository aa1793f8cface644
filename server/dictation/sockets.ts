import type { IncomingMessage } from "node:http";
import { closeCodes, maxFrameBytes } from "#contract/index.ts";
import type { Origins } from "#server/http/origins.ts";
import { refuseUpgrade, type Upgrades } from "#server/http/upgrades.ts";
import { openWebSockets } from "#server/http/web-sockets.ts";
import { connectionsChanged } from "#server/log/events.ts";
import { Connection, type ConnectionParts, type LiveTimes } from "./connection.ts";
import { closeRecording } from "./queries.ts";

const path = "/api/v1/audio-transcriptions/realtime";

/** Live dictation: WS /api/v1/audio-transcriptions/realtime (contract/dictation.ts). */
export interface Live {
  /** Closes the connection that feeds this recording, in any process, if any; its audio is complete afterwards. */
  release(recording: string): Promise<void>;
  close(): Promise<void>;
}

interface LiveParts extends ConnectionParts {
  origins: Origins;
}

/** Handles the upgrade requests on the API's port. */
export function serveLive(upgrades: Upgrades, parts: LiveParts, times: LiveTimes = {}): Live {
  const sockets = openWebSockets(maxFrameBytes + 4096);
  const connections = new Set<Connection>();
  const byRecording = new Map<string, Connection>();
  upgrades.at(path, (request, socket, head) => {
    if (isForeign(request, parts)) return refuseUpgrade(socket, "403 Forbidden");
    sockets.accept(request, socket, head, (webSocket) => {
      const connection = new Connection(webSocket, parts, byRecording, times);
      connections.add(connection);
      connectionsChanged.happened({ kind: "dictation", by: 1 });
      webSocket.once("close", () => {
        connectionsChanged.happened({ kind: "dictation", by: -1 });
        connections.delete(connection);
      });
    });
  });
  const ping = setInterval(() => {
    for (const connection of connections) connection.ping();
  }, times.pingMs ?? 15_000);
  const stopListening = parts.bus.subscribe("recordings.taken", (recording) => {
    const perhapsTaken = recording === undefined ? connections : [byRecording.get(recording)];
    for (const connection of perhapsTaken) connection?.recheck();
  });
  return {
    release: async (recording) => {
      await byRecording.get(recording)?.end(closeCodes.elsewhere);
      await closeRecording(parts.db, recording);
      parts.bus.publish("recordings.taken", recording);
    },
    close: async () => {
      stopListening();
      clearInterval(ping);
      await Promise.all([...connections].map((connection) => connection.end(1001)));
      sockets.close();
    },
  };
}

/**
 * Only the page may open sockets: browsers do not stop other sites. Other clients send no Origin, but need a token
 * anyway.
 */
function isForeign({ headers: { origin, host } }: IncomingMessage, { origins }: LiveParts): boolean {
  return origin !== undefined && !origins.allows(origin, host);
}
