import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { captionedMachine } from "#machines/video/captioned.ts";
import { videoMachine } from "#machines/video/machine.ts";
import { apiBase } from "#src/api/http.ts";
import { createVideoApi } from "#src/api/video.ts";
import { downloadFile, downloadFrom } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { ownCall, ownSend } from "#src/features/session/api.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perRecord } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { videoPreferences } from "./preferences.ts";
import type { Stage } from "./screen.ts";
import { createTracks, type Tracks } from "./tracks.ts";

const api = createVideoApi(ownCall, ownSend);

export interface OpenVideo {
  actor: ActorRefFrom<typeof videoMachine>;
  captioned: ActorRefFrom<typeof captionedMachine>;
  stage: Stage;
}

function createVideo(id: string, stage: Stage, tracks: Tracks): OpenVideo["actor"] {
  const machine = videoMachine.provide({
    actors: {
      poll: fromPromise(({ signal }) => api.picture(id, signal)),
      showCaptions: fromPromise(async ({ input: { captions }, signal }) => {
        const asked = { format: "vtt", content: captions, language: i18n.language } as const;
        const { file } = await transcriptionsApi.exportFile(id, asked, signal);
        signal.throwIfAborted();
        const { spoken, translated } = stage.languages();
        const language = captions === "translation" && translated !== null ? translated : spoken;
        tracks.show({ file, language, label: i18n.t(`video:captions.${captions}`) });
      }),
    },
    actions: { removeCaptions: () => tracks.show(null) },
  });
  const actor = createActor(machine, { ...inspected(), input: videoPreferences.read() });
  actor.on("picture.found", () => stage.showPicture());
  actor.on("choices.changed", ({ captions, hidden }) => videoPreferences.write({ captions, hidden }));
  return actor;
}

function createCaptioned(id: string, stage: Stage): OpenVideo["captioned"] {
  const machine = captionedMachine.provide({
    actors: {
      poll: fromPromise(({ signal }) => api.captioned(id, signal)),
      request: fromPromise(({ input, signal }) => api.caption(id, input.content, i18n.language, signal)),
      drop: fromPromise(({ signal }) => api.uncaption(id, signal)),
      download: fromPromise(async ({ signal }) => {
        downloadFrom(apiBase + (await api.allowDownload(id, stage.fileTitle(), signal)));
      }),
      downloadSubtitles: fromPromise(async ({ signal }) => {
        const { file, name } = await api.subtitles(id, { lng: i18n.language, name: stage.fileTitle() }, signal);
        downloadFile(file, name);
      }),
    },
  });
  return createActor(machine, inspected());
}

function create(id: string, stage: Stage): OpenVideo {
  const tracks = createTracks(stage);
  const actor = createVideo(id, stage, tracks);
  const leaveText = stage.onTextSaved(() => actor.send({ type: "text.changed" }));
  const leaveTrack = stage.track.subscribe(() => actor.send({ type: "sound.changed" }));
  actor.subscribe({
    complete: () => {
      leaveText();
      leaveTrack();
      tracks.close();
    },
  });
  const captioned = createCaptioned(id, stage);
  actor.start();
  captioned.start();
  return { actor, captioned, stage };
}

/** The picture of the open page's recording, one at a time. */
export const openVideo = perRecord(create, ({ actor, captioned }) => {
  actor.stop();
  captioned.stop();
});
