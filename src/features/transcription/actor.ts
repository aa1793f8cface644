import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import type { Transcription, TranscriptionUpdate } from "#contract/index.ts";
import type { Changes } from "#machines/transcription/changes.ts";
import { findMachine, selectCurrent, selectHits } from "#machines/transcription/find/machine.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import { transcriptionMachine } from "#machines/transcription/machine.ts";
import { type Exporting, outputMachine } from "#machines/transcription/output.ts";
import { selectIsPlaying } from "#machines/transcription/player.ts";
import { selectIsSaving, selectPersistedDraft, selectSaved, selectTranscription } from "#machines/transcription/selectors.ts";
import type { Spans } from "#machines/transcription/spans.ts";
import { apiBase } from "#src/api/http.ts";
import { downloadFile, downloadFrom } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { exportFailureKey } from "#src/features/exports/failure.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { askUsage } from "#src/features/subscription/usage.ts";
import { openedTranscriptions } from "#src/features/transcriptions/actor.ts";
import { deletions } from "#src/features/transcriptions/deletions.ts";
import { followTranscription, wakeUps } from "#src/features/transcriptions/event-stream.ts";
import { fileTitleNow } from "#src/features/transcriptions/shown-title.ts";
import type { Stage } from "#src/features/video/screen.ts";
import { i18n } from "#src/i18n/index.ts";
import { draftsOf } from "./drafts.ts";
import { createPlayer, type Player, soundOf, type VideoPlayer } from "./player.ts";
import { transcriptPreferences } from "./preferences.ts";
import { createPlaceStore, indexEnding, type PlaceStore, segmentsOf } from "./reading-place.ts";
import { createSuggestions, type Suggestions } from "./suggestions-actor.ts";

type Actor = ActorRefFrom<typeof transcriptionMachine>;

export interface OpenTranscription {
  id: string;
  actor: Actor;
  player: Player;
  track: VideoPlayer["track"];
  /** The element that shows a video's picture. */
  stage: Stage;
  find: ActorRefFrom<typeof findMachine>;
  /** Suggested names for unnamed speakers. */
  suggestions: Suggestions;
  output: ActorRefFrom<typeof outputMachine>;
  place: PlaceStore;
}

const textsOf = (byIndex: Readonly<Record<number, string>>) =>
  Object.entries(byIndex).map(([index, text]) => ({ index: Number(index), text }));

function updateOf(changes: Changes, seen: Spans): TranscriptionUpdate {
  const { edits, bases = {}, speakers = {}, translations, regroups, words, others: settled, ...others } = changes;
  const corrections = textsOf(edits).map((edit) => ({ ...edit, base: bases[edit.index] }));
  const named = Map.groupBy(Object.entries(speakers), ([, name]) => name);
  const attributed = [...named].map(([name, entries]) => ({ name, segments: entries.map(([index]) => Number(index)) }));
  const spans = Object.entries(seen).map(([index, span]) => ({ index: Number(index), span }));
  return {
    ...others,
    ...(spans.length === 0 ? {} : { spans }),
    ...(corrections.length === 0 ? {} : { edits: corrections }),
    ...(attributed.length === 0 ? {} : { speakers: attributed }),
    ...(translations && { translations: textsOf(translations) }),
    ...(regroups === undefined ? {} : { regroups: [...regroups] }),
    ...(words === undefined ? {} : { words: Object.values(words) }),
    ...(settled === undefined ? {} : { others: Object.values(settled) }),
  };
}

type Shown = () => Transcription | null;

async function download(id: string, shown: Shown, wanted: Exporting, signal: AbortSignal): Promise<void> {
  const named = fileTitleNow(shown());
  const asked = { ...wanted, language: i18n.language, ...(named !== undefined && { name: named }) };
  const { file, name } = await transcriptionsApi.exportFile(id, asked, signal);
  downloadFile(file, name);
}

const machine = transcriptionMachine.provide({
  actors: {
    load: fromPromise(({ input, signal }) => transcriptionsApi.get(input.id, signal)),
    save: fromPromise(({ input, signal }) => transcriptionsApi.update(input.id, updateOf(input.based, input.spans), signal)),
    updates: fromCallback(({ input, sendBack }) =>
      followTranscription(
        input.id,
        (event) => sendBack({ type: "transcription.updated", ...event }),
        () => sendBack({ type: "access.withdrawn" }),
      ),
    ),
    wakeUps,
  },
});

function createTranscription(id: string): Actor {
  const drafts = draftsOf(currentUserId() ?? "", id);
  const actor = createActor(machine, { ...inspected(), input: { id, draft: drafts.read() } });
  actor.subscribe((snapshot) => drafts.keep(selectPersistedDraft(snapshot)));
  actor.on("transcription.changed", ({ transcription }) =>
    openedTranscriptions()?.send({ type: "transcription.updated", transcription }),
  );
  actor.on("save.failed", () => toast({ kind: "error", key: "toast.updateFailed" }));
  for (const type of ["translation.failed", "retry.failed", "diarization.failed", "recognition.failed"] as const)
    actor.on(type, ({ code }) => toast({ kind: "error", key: `errors.${code}` }));
  actor.on("regroup.refused", ({ reason }) => toast({ kind: "plain", key: `app:transcript.regroupRefused.${reason}` }));
  // A deleted transcription gets no updates, so it is reloaded when it is restored or finally deleted.
  const leave = deletions.follow((event) => {
    const about =
      event.type === "transcriptions.restored"
        ? event.transcriptions.map((row) => row.id)
        : event.type === "deletion.over"
          ? event.ids
          : [];
    if (about.includes(id)) actor.send({ type: "reload.requested" });
  });
  actor.subscribe({ complete: leave });
  return actor;
}

function createOutput(id: string, shown: Shown): OpenTranscription["output"] {
  const output = outputMachine.provide({
    actors: {
      exportFile: fromPromise(({ input, signal }) => download(id, shown, input, signal)),
      copyText: fromPromise(({ input }) => navigator.clipboard.writeText(input.text)),
      downloadAudio: fromPromise(async ({ signal }) => {
        downloadFrom(apiBase + (await transcriptionsApi.allowAudioDownload(id, fileTitleNow(shown()), signal)));
      }),
    },
  });
  const actor = createActor(output, inspected());
  actor.on("text.copied", () => toast({ kind: "success", key: "toast.copied" }));
  actor.on("export.failed", ({ code }) => toast({ kind: "error", key: exportFailureKey(code) }));
  actor.on("audio.failed", ({ code }) =>
    toast({ kind: "error", key: code === "notFound" ? "app:transcript.audioGone" : "toast.exportFailed" }),
  );
  actor.on("copy.failed", () => toast({ kind: "error", key: "toast.copyFailed" }));
  return actor.start();
}

/** Search results move the reading place. Replacements are ordinary edits. */
function createFind(actor: Actor, place: PlaceStore): OpenTranscription["find"] {
  const find = createActor(findMachine, inspected());
  let segments: Transcription["segments"] = [];
  const sendSegments = () => find.send({ type: "segments.changed", segments });
  actor.subscribe((snapshot) => {
    const now = selectTranscription(snapshot)?.segments ?? [];
    if (now === segments || (now.length === 0 && segments.length === 0)) return;
    segments = now;
    sendSegments();
  });
  find.on("hit.shown", ({ hit }) => place.show({ index: hit.index }));
  find.on("replacement.requested", ({ edits }) => {
    actor.send({ type: "segments.replaced", edits });
    sendSegments();
  });
  for (const type of ["edit.undone", "edit.redone"] as const)
    actor.on(type, ({ step }) => {
      if (step !== undefined && step.index !== null) place.show({ index: step.index });
    });
  for (const type of ["passage.split", "passage.merged"] as const)
    actor.on(type, ({ index, caret }) => place.show({ index, focus: "edit", caret }));
  return find.start();
}

function create(id: string): OpenTranscription {
  const actor = createTranscription(id);
  const place = createPlaceStore();
  const find = createFind(actor, place);
  const player = createPlayer(id, transcriptPreferences.get().rewinds);
  actor.subscribe((snapshot) => {
    const saved = selectSaved(snapshot);
    if (saved !== null) player.playTrack(saved.track);
  });
  const unsubscribe = transcriptPreferences.subscribe(() =>
    player.actor.send({ type: "rewinding.chosen", rewinds: transcriptPreferences.get().rewinds }),
  );
  player.actor.subscribe({ complete: unsubscribe });
  const suggestions = createSuggestions(id, actor);
  actor.start();
  const shown = () => selectTranscription(actor.getSnapshot());
  const { track } = player;
  const stage = createStage(actor, player);
  return { id, actor, player, track, stage, find, suggestions, output: createOutput(id, shown), place };
}

// The reading place belongs to the user, and ends with their session.
const opened = perOwner<OpenTranscription>({ end });

/** The transcription of the open or loading page, one at a time for each user. */
export function openTranscription(id: string): OpenTranscription {
  const known = opened.mine();
  return known?.id === id ? known : opened.replace(() => create(id));
}

/** Stops the page's actors once edits are saved. If saving fails, the browser keeps the edits. */
export const closeTranscription = opened.close;

function end({ actor, player, find, suggestions, output }: OpenTranscription): void {
  for (const part of [player.actor, find, suggestions, output]) part.stop();
  if (!selectIsSaving(actor.getSnapshot())) actor.stop();
  else
    actor.subscribe((snapshot) => {
      if (!selectIsSaving(snapshot)) actor.stop();
    });
}

/** The parameters in the address of a transcription's page. */
interface Entered {
  /**
   * A time (seconds): the passage there is shown and played. Other values: the first passage with the words of `find`.
   */
  at?: unknown;
  /** The words of a search: they are highlighted, and the first one is shown. */
  find?: unknown;
  /** The page is already open, and only its address has changed. */
  isShown: boolean;
}

/** Loads the data of a transcription's page. Works without the engines, which are null then. */
export async function enterTranscription(id: string, { at, find, isShown }: Entered) {
  const open = openTranscription(id);
  const seconds = typeof at === "number" && at >= 0 ? at : undefined;
  const term = find === undefined ? "" : String(find).trim();
  if (seconds !== undefined || term !== "") onceLoaded(open, (loaded) => arrive(open, loaded, seconds, term, isShown));
  askUsage();
  return { open, engines: await loadEngines().catch(() => null) };
}

function onceLoaded({ actor }: OpenTranscription, act: (loaded: Transcription) => void): void {
  const known = selectTranscription(actor.getSnapshot());
  if (known !== null) {
    act(known);
    return;
  }
  const loading = actor.subscribe((snapshot) => {
    const loaded = selectTranscription(snapshot);
    if (loaded === null) return;
    loading.unsubscribe();
    act(loaded);
  });
}

/**
 * Shows the passage and highlights the words. Does not search the text for words that only the title has. Browsers
 * block sound until the user has done something on the page; then the passage is only shown.
 */
function arrive(open: OpenTranscription, loaded: Transcription, seconds: number | undefined, term: string, isShown: boolean) {
  const { player, place } = open;
  const from = seconds === undefined ? 0 : indexEnding(open, seconds);
  const hit = term === "" ? undefined : findFrom(open, term, from);
  const index = hit?.index ?? from;
  if (isShown) place.show({ index });
  else place.arrival = index;
  if (seconds === undefined || !loaded.hasAudio) return;
  const start = hit === undefined ? 0 : (loaded.segments[index]?.start ?? 0);
  const play = navigator.userActivation?.hasBeenActive !== false;
  player.actor.send({ type: "seek.requested", seconds: Math.max(seconds, start), play });
}

/** Highlights the words. @returns the first hit at or after a passage */
function findFrom({ find }: OpenTranscription, term: string, at: number): Hit | undefined {
  find.send({ type: "find.opened", term, at });
  const found = find.getSnapshot();
  const hit = selectHits(found)[selectCurrent(found)];
  if (hit === undefined) find.send({ type: "find.closed" });
  return hit;
}

/** The recording's playback together with its recognized text. */
export const playbackOf = ({ player, track, actor }: OpenTranscription) => ({
  ...soundOf(player),
  track,
  segments: {
    get: () => segmentsOf({ actor }),
    subscribe: (listener: () => void) => {
      const { unsubscribe } = actor.subscribe(listener);
      return unsubscribe;
    },
  },
});

/** The page's state for the components that show the video's picture. */
function createStage(actor: Actor, player: VideoPlayer): Stage {
  const shown = () => selectTranscription(actor.getSnapshot());
  return {
    screen: player.screen,
    showPicture: player.showPicture,
    toggle: () => player.actor.send({ type: selectIsPlaying(player.actor.getSnapshot()) ? "pause.requested" : "play.requested" }),
    track: player.track,
    onTextSaved: (saved) => {
      let before = selectSaved(actor.getSnapshot())?.segments;
      const { unsubscribe } = actor.subscribe((snapshot) => {
        const segments = selectSaved(snapshot)?.segments;
        if (segments === before) return;
        before = segments;
        saved();
      });
      return unsubscribe;
    },
    languages: () => ({ spoken: shown()?.sourceLanguage ?? "en", translated: shown()?.targetLanguage ?? null }),
    fileTitle: () => fileTitleNow(shown()),
  };
}
