import { type ActorRefFrom, createActor, fromPromise, sendTo } from "xstate";
import { readSharedAddress, type SharedTranscript, sharedAddress, sharedFormats } from "#contract/index.ts";
import { type VisitActor, type VisitEvent, visitMachine } from "#machines/sharing/visit.ts";
import { outputMachine } from "#machines/transcription/output.ts";
import { type PlayerCommand, playerMachine } from "#machines/transcription/player.ts";
import { ApiError, apiBase, createCall } from "#src/api/http.ts";
import { createVisitApi, sharedAudioPath } from "#src/api/sharing.ts";
import { createPositionStore } from "#src/audio/position.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { createStore, type Store } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import { plainSend } from "#src/features/session/actor.ts";
import { audioElement } from "#src/features/transcription/audio-element.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { createPlaceStore, type PlaceStore } from "#src/features/transcription/reading-place.ts";
import { i18n } from "#src/i18n/index.ts";
import { createVisits, type LinkVisit } from "./open-visit.ts";

type Address = ReturnType<typeof readSharedAddress>;

// Sends no token, even if somebody is signed in, because a link shows the same to everybody.
const api = createVisitApi(createCall(plainSend), plainSend);

export interface Visit extends LinkVisit<SharedTranscript> {
  player: Player;
  output: ActorRefFrom<typeof outputMachine>;
  place: PlaceStore;
}

/** The secret stays in this closure and in the calls. No machine holds it. */
function createActorOf(address: Address, shown: Store<SharedTranscript | null>): VisitActor {
  const machine = visitMachine.provide({
    actors: {
      open: fromPromise(async ({ input, signal }) => {
        if (address === undefined) throw new ApiError(404, "notFound", "The address is no link's.");
        const answer = await api.open(address.id, { ...input, secret: address.secret }, signal);
        signal.throwIfAborted();
        if (!answer.locked) shown.set(answer.transcript);
        return answer;
      }),
      wakeUps: createWakeUps<VisitEvent>(),
    },
    actions: { forget: () => shown.set(null) },
  });
  return createActor(machine, inspected());
}

/** Checks whether a refusal or a broken answer means that the link has ended or needs its passphrase again. */
async function allowed<Result>(visit: VisitActor, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    // Browsers throw a TypeError for an incomplete body.
    const isBroken = error instanceof TypeError;
    if (isBroken || (error instanceof ApiError && error.status === 404)) visit.send({ type: "access.lapsed" });
    throw error;
  }
}

function createPlayerOf(id: string, visit: VisitActor): Player {
  const position = createPositionStore();
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise(({ signal }) => allowed(visit, api.checkAudio(id, signal))),
      // The cookie of the opened link is only sent with credentials.
      element: audioElement({ url: apiBase + sharedAudioPath(id), withCredentials: true }, position),
    },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  return { actor: createActor(machine, inspected()).start(), position };
}

function createOutputOf(id: string, visit: VisitActor): Visit["output"] {
  const machine = outputMachine.provide({
    actors: {
      exportFile: fromPromise(async ({ input: { format, content }, signal }) => {
        const offered = sharedFormats.find((one) => one === format) ?? "txt";
        const asked = { format: offered, content, language: i18n.language };
        const { file, name } = await allowed(visit, api.exportFile(id, asked, signal));
        downloadFile(file, name);
      }),
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("export.failed", () => toast({ kind: "error", key: "toast.exportFailed" }));
  return actor.start();
}

function begin(address: Address): Visit {
  const id = address?.id ?? "";
  const shown = createStore<SharedTranscript | null>(null);
  const actor = createActorOf(address, shown);
  const player = createPlayerOf(id, actor);
  const output = createOutputOf(id, actor);
  const end = () => {
    for (const part of [player.actor, output, actor]) part.stop();
  };
  actor.start();
  return { actor, shown, player, output, place: createPlaceStore(), end };
}

/** The page of a link to a transcript. */
export const visits = createVisits({ read: readSharedAddress, fragmentOf: sharedAddress, begin });
