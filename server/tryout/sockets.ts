import type { WebSocket } from "ws";
import { closeCodes, type ErrorCode, maxFrameBytes, type ServerMessage, tryOutPath, tryOutSeconds } from "#contract/index.ts";
import type { Claims } from "#server/cluster/claims.ts";
import { asBuffer, parseMessage } from "#server/dictation/messages.ts";
import { sentenceOf } from "#server/errors/problem.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { networkKey } from "#server/http/client-network.ts";
import type { Origins } from "#server/http/origins.ts";
import { refuseUpgrade, type Upgrades } from "#server/http/upgrades.ts";
import { closeInTime, openWebSockets } from "#server/http/web-sockets.ts";
import { connectionsChanged } from "#server/log/events.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { type Throttle, tryOutLimit } from "#server/session/throttle.ts";
import type { Punctuator, SpeechEngines } from "#server/speech/index.ts";
import type { Translation } from "#server/translation/index.ts";
import { createTries, type Tries } from "./tries.ts";
import { TrySession } from "./try-session.ts";

/** Longest connection, whatever happens on it (ms). */
const maxMs = (tryOutSeconds + 60) * 1000;
/** Timeout of the first message (ms). */
const firstMessageMs = 10_000;
/** Most bytes that a connection may send: the sound, its frames' headers, and a reserve. */
const maxReceivedBytes = 2 * tryOutSeconds * 32_000;
/** Unsent bytes above which partial results are dropped. */
const congestedBytes = 64 * 1024;
/** Concurrent try-outs of one address: one connection, and its successor after a loss. Always fewer than all. */
const placesPerClient = 2;

interface TryOutParts {
  config: { tryOutSlots: number; trustProxy: TrustedProxies };
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  origins: Origins;
  engines: Pick<SpeechEngines, "forLanguage">;
  punctuator: Punctuator;
  translation: Pick<Translation, "staysHere" | "translate">;
  /** Claims shared by all processes. */
  claims: Claims;
  /** Undefined: attempts are counted in this process's memory. */
  throttle: Throttle | undefined;
}

/** Thirty seconds of dictation without an account. */
export interface TryOut {
  close(): void;
}

/**
 * Dictation for visitors of the landing page. WS /api/v1/try-out uses the realtime socket's protocol
 * (contract/dictation.ts), but takes `tryOutSeconds` of sound, confirms no frames, needs no account, uses only engines
 * on this machine, and stores neither rows nor sound. Only the words of this sound are translated. A lost connection
 * starts anew.
 */
export function serveTryOut(upgrades: Upgrades, parts: TryOutParts): TryOut {
  const { tryOutSlots: places, trustProxy } = parts.config;
  if (places === 0) return { close: () => {} };
  const sockets = openWebSockets(maxFrameBytes + 4096);
  const limits = { places, placesPerClient: Math.max(1, Math.min(placesPerClient, places - 1)), begun: tryOutLimit };
  const tries = createTries(limits, parts);
  upgrades.at(tryOutPath, (request, socket, head) => {
    const { origin, host } = request.headers;
    // Only the page may connect, and there is no token to identify it.
    if (origin === undefined || !parts.origins.allows(origin, host)) return refuseUpgrade(socket, "403 Forbidden");
    sockets.accept(request, socket, head, (opened) => {
      const { remoteAddress } = request.socket;
      const address = networkKey(remoteAddress, request.headers["x-forwarded-for"], trustProxy);
      admit(opened, tries.begin(address), { ...parts, person: address }).catch((error: unknown) => {
        parts.log.error("try-out failed", describeError(error));
        closeInTime(opened, 1011);
      });
    });
  });
  return {
    close: () => {
      for (const socket of sockets.clients) socket.close(1001);
      sockets.close();
    },
  };
}

interface ServeParts extends TryOutParts {
  /** The visitor's network. */
  person: string;
}

/** Accepts no audio of a visitor before a slot is granted. */
async function admit(socket: WebSocket, beginning: ReturnType<Tries["begin"]>, parts: ServeParts): Promise<void> {
  socket.on("error", () => {});
  socket.pause();
  const admitted = await beginning;
  socket.resume();
  if (socket.readyState === socket.OPEN) serve(socket, admitted, parts);
  else if (typeof admitted === "function") admitted();
}

function serve(socket: WebSocket, admitted: Awaited<ReturnType<Tries["begin"]>>, parts: ServeParts): void {
  const { engines, punctuator, translation, person, log } = parts;
  let session: TrySession | undefined;
  let received = 0;
  const close = (code: number) => closeInTime(socket, code);
  const send = (message: ServerMessage) => {
    if (message.type === "partial" && socket.bufferedAmount > congestedBytes) return;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const refuse = (code: ErrorCode, closeCode: number) => {
    send({ type: "error", code, message: sentenceOf(code) });
    close(closeCode);
  };
  const late = setTimeout(() => close(closeCodes.badMessage), firstMessageMs);
  const over = setTimeout(() => socket.terminate(), maxMs);
  connectionsChanged.happened({ kind: "tryOut", by: 1 });
  socket.once("close", () => {
    connectionsChanged.happened({ kind: "tryOut", by: -1 });
    clearTimeout(late);
    clearTimeout(over);
    session?.end();
    if (typeof admitted === "function") admitted();
  });
  if (typeof admitted === "string") {
    refuse(admitted, closeCodes.tooFast);
    return;
  }

  socket.on("message", (data, isBinary) => {
    const bytes = asBuffer(data);
    received += bytes.length;
    if (received > maxReceivedBytes) return close(closeCodes.tooFast);
    if (session !== undefined && isBinary) return session.addFrame(bytes);
    const message = isBinary ? undefined : parseMessage(bytes.toString("utf8"));
    if (session !== undefined && message?.type === "end") return void session.setEnd(message.frames);
    if (session !== undefined || message?.type !== "start") return refuse("badRequest", closeCodes.badMessage);
    clearTimeout(late);
    const choice = engines.forLanguage(message.sourceLanguage, "live");
    // Nobody has agreed to use an outside service, and nobody pays for it.
    if (choice?.engine.offline !== true) return refuse("languageUnavailable", closeCodes.badMessage);
    const { sourceLanguage: source, targetLanguage: target } = message;
    const into = target !== undefined && translation.staysHere(source, target) ? { source, target } : undefined;
    session = new TrySession({ choice, punctuator, translation, into, person, log, send, close });
  });
}
