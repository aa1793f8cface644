import { type Actor, createActor, fromPromise } from "xstate";
import { AcceptedEvent, AcceptedFiling, type FilingAnswer, type TranscriptionEvent } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { type EventStreamEvent, eventStreamMachine } from "#machines/transcriptions/event-stream.ts";
import { readEventStream } from "#src/api/event-stream.ts";
import { eventsPath } from "#src/api/transcriptions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { parsed } from "#src/browser/stored.ts";
import { ownSend } from "#src/features/session/api.ts";

export type TranscriptionListener = (event: TranscriptionEvent) => void;

/** Emits when a lost stream should reconnect. */
export const wakeUps = createWakeUps<EventStreamEvent>();

type Follow = (listener: TranscriptionListener) => () => void;

/** The event stream at `path`. The first follower opens it, the last one closes it. Observers don't open it. */
function createFeed(path: string) {
  const listeners = createListeners<[event: TranscriptionEvent]>();
  const observers = createListeners<[event: TranscriptionEvent]>();
  const filing = createListeners<[filing: FilingAnswer]>();
  const withdrawn = createListeners<[]>();
  let stream: Actor<typeof eventStreamMachine> | undefined;
  let lastId = "";
  let isShared = false;

  const hearFiling = (data: string) => {
    const incoming = parsed(AcceptedFiling, data);
    if (incoming !== null) filing.emit(incoming);
  };
  const read = async (signal: AbortSignal) => {
    const headers = new Headers({ Accept: "text/event-stream" });
    if (lastId !== "") headers.set("Last-Event-ID", lastId);
    const { body } = await ownSend(path, { headers, signal, cache: "no-store" }).catch((error: unknown) => {
      // The server cuts a slow stream off before it can report the withdrawal. The reconnection then gets a 404.
      if (isShared && codeOf(error) === "notFound") withdrawn.emit();
      throw error;
    });
    stream?.send({ type: "stream.opened" });
    if (body === null) return;
    await readEventStream(body, ({ event, data, id }) => {
      lastId = id;
      if (event === "filing") return hearFiling(data);
      if (event === "withdrawn") return withdrawn.emit();
      const incoming = event === "transcription" ? parsed(AcceptedEvent, data) : null;
      if (incoming === null) return;
      isShared = incoming.transcription.access !== undefined;
      listeners.emit(incoming);
      observers.emit(incoming);
    });
  };
  const machine = eventStreamMachine.provide({ actors: { wakeUps, stream: fromPromise(({ signal }) => read(signal)) } });

  const follow: Follow = (listener) => {
    const leave = listeners.subscribe(listener);
    if (stream === undefined) {
      lastId = "";
      stream = createActor(machine, inspected()).start();
    }
    return () => {
      leave();
      if (listeners.count() > 0) return;
      stream?.stop();
      stream = undefined;
    };
  };
  return { follow, observe: observers.subscribe, observeFiling: filing.subscribe, observeWithdrawal: withdrawn.subscribe };
}

const all = createFeed(eventsPath());

/**
 * Subscribes to all of a user's transcriptions, without segments. Subscribers share one stream. Returns unsubscribe.
 */
export const followTranscriptions = all.follow;

/** The same, but only while a follower keeps the stream open. */
export const observeTranscriptions = all.observe;

/** Subscribes to changes of the user's folders and tags, while a follower keeps the stream open. */
export const observeFiling = all.observeFiling;

/**
 * Subscribes to one transcription and its segments as they arrive. Returns unsubscribe.
 * @param onWithdrawn called when the transcription is not shared with the user any more
 */
export function followTranscription(id: string, listener: TranscriptionListener, onWithdrawn: () => void = () => {}): () => void {
  const feed = createFeed(eventsPath(id));
  const unsubscribe = feed.observeWithdrawal(onWithdrawn);
  const leave = feed.follow(listener);
  return () => {
    leave();
    unsubscribe();
  };
}
