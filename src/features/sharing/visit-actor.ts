import { type ActorRefFrom, createActor, fromPromise, sendTo } from "xstate";
import { readSharedAddress, type SharedAnswer, sharedAddress, sharedFormats } from "#contract/index.ts";
import { type Opening, visitMachine } from "#machines/sharing/visit.ts";
import type { VisitEvent } from "#machines/sharing/visit-events.ts";
import { type Exporting, outputMachine } from "#machines/transcription/output.ts";
import { type PlayerCommand, playerMachine } from "#machines/transcription/player.ts";
import { ApiError, apiBase, createCall } from "#src/api/http.ts";
import { createVisitApi, sharedAudioPath } from "#src/api/sharing.ts";
import { createPositionStore } from "#src/audio/position.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { plainSend } from "#src/features/session/actor.ts";
import { audioElement } from "#src/features/transcription/audio-element.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { createPlaceStore, type PlaceStore } from "#src/features/transcription/reading-place.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";

type Address = ReturnType<typeof readSharedAddress>;
type VisitActor = ActorRefFrom<typeof visitMachine>;

// Without a token, whoever is signed in: a link shows everybody the same.
const api = createVisitApi(createCall(plainSend), plainSend);

export interface Visit {
  actor: VisitActor;
  player: Player;
  output: ActorRefFrom<typeof outputMachine>;
  place: PlaceStore;
}

/** The secret stays in here, and in the calls: no machine has it. */
function createActorOf(address: Address): VisitActor {
  const machine = visitMachine.provide({
    actors: {
      open: fromPromise<SharedAnswer, Opening>(({ input, signal }) => {
        if (address === undefined) throw new ApiError(404, "notFound", "The address is no link's.");
        return api.open(address.id, { ...input, secret: address.secret }, signal);
      }),
      wakeUps: createWakeUps<VisitEvent>(),
    },
  });
  return createActor(machine, inspected());
}

/** What was refused may be so because the link has ended, or asks for its passphrase again: that is found out. */
async function allowed<Result>(visit: VisitActor, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) visit.send({ type: "access.lapsed" });
    throw error;
  }
}

function createPlayerOf(id: string, visit: VisitActor): Player {
  const position = createPositionStore();
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise<void>(({ signal }) => allowed(visit, api.checkAudio(id, signal))),
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
      exportFile: fromPromise<void, Exporting>(async ({ input: { format, content }, signal }) => {
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

/** Another link that is put into the address is another page. What else changes the fragment (the way to the content) takes no link away. */
function keepAddress(address: Address): () => void {
  const listen = new AbortController();
  const follow = () => {
    const next = readSharedAddress(location.hash);
    if (next !== undefined) location.reload();
    else if (address !== undefined) history.replaceState(history.state, "", `#${sharedAddress(address)}`);
  };
  addEventListener("hashchange", follow, { signal: listen.signal });
  return () => listen.abort();
}

let open: { visit: Visit; end(): void } | undefined;

/**
 * Opens the link in the page's address. While it is open it is the same: the router loads the page again when the fragment changes, as on the
 * way to the content.
 */
export async function enterVisit(): Promise<Visit> {
  await Promise.all([loadTexts("app"), loadTexts("visit")]);
  open ??= begin(readSharedAddress(location.hash));
  return open.visit;
}

function begin(address: Address): NonNullable<typeof open> {
  const id = address?.id ?? "";
  const actor = createActorOf(address);
  const player = createPlayerOf(id, actor);
  const output = createOutputOf(id, actor);
  const stop = keepAddress(address);
  actor.start();
  const end = () => {
    stop();
    for (const part of [player.actor, output, actor]) part.stop();
  };
  return { visit: { actor, player, output, place: createPlaceStore() }, end };
}

/** The page is left. */
export function leaveVisit(): void {
  open?.end();
  open = undefined;
}
