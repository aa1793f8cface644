import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { modelChoicesMachine, withEdits } from "#machines/models/choices.ts";
import type { ModelsEvent } from "#machines/models/events.ts";
import { modelImportMachine } from "#machines/models/import.ts";
import { modelsMachine } from "#machines/models/machine.ts";
import { initialFilter } from "#machines/models/rules.ts";
import { apiBase, createPlainSend, createSend } from "#src/api/http.ts";
import { createModelImport, createModelsApi } from "#src/api/models.ts";
import { createXhrFetch } from "#src/api/xhr.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { holdPage } from "#src/browser/page-events.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { createStore } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import { tokens } from "#src/features/session/actor.ts";
import { call, send } from "#src/features/session/api.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";
import { firstTarget } from "./words.ts";

const api = createModelsApi(call, send);

const visibility = fromCallback<ModelsEvent>(({ sendBack }) => {
  const stop = new AbortController();
  const report = () => sendBack({ type: document.hidden ? "page.hidden" : "page.shown" });
  document.addEventListener("visibilitychange", report, { signal: stop.signal });
  addEventListener("online", report, { signal: stop.signal });
  return () => stop.abort();
});

const listMachine = modelsMachine.provide({
  actors: {
    visibility,
    fetchModels: fromPromise(({ signal }) => api.list(signal)),
    perform: fromPromise(async ({ input: { command }, signal }) => {
      if (command.action !== "remove") return api.command(command.id, command.action, signal);
      await api.remove(command.id, signal);
      return null;
    }),
  },
});
export type Models = ActorRefFrom<typeof listMachine>;

/** Saves only the user's own edits, because another superuser may have made choices meanwhile. */
const choicesMachine = modelChoicesMachine.provide({
  actors: {
    save: fromPromise(async ({ input, signal }) => {
      const { choices } = await api.list(signal);
      return api.choose(withEdits(choices, input.edits), signal);
    }),
  },
});
export type Choices = ActorRefFrom<typeof choicesMachine>;

export type Import = ReturnType<typeof createImport>;

/** The import of a file. */
function createImport() {
  const sent = createStore(0);
  let chosen = new File([], "");
  const sendFile = createModelImport(createSend(createPlainSend(apiBase, createXhrFetch(sent.set)), tokens));
  const actor = createActor(
    modelImportMachine.provide({
      actors: {
        holdPage: fromCallback(() => holdPage()),
        sendFile: fromPromise(async ({ signal }) => {
          sent.set(0);
          // Checks the session first, so that gigabytes are not sent only to be refused.
          await tokens.live(signal);
          return sendFile(chosen, signal);
        }),
      },
    }),
    inspected(),
  );
  return {
    actor,
    /** Bytes of the file sent so far. */
    sent,
    choose: (file: File) => {
      if (actor.getSnapshot().matches("sending")) return;
      chosen = file;
      actor.send({ type: "file.chosen", file: { name: file.name, size: file.size } });
    },
  };
}

export type ModelManager = ReturnType<typeof startManager>;

/** Starts the actors of the page. */
function startManager() {
  const input = { translatesInto: firstTarget([i18n.language, ...navigator.languages]), filter: initialFilter };
  const models = createActor(listMachine, { ...inspected(), input });
  const choices = createActor(choicesMachine, inspected());
  const own = createImport();
  const all = [models, choices, own.actor];
  choices.on("choices.saved", (event) => models.send(event));
  own.actor.on("import.arrived", () => models.send({ type: "models.changed" }));
  for (const actor of all) actor.start();
  const stop = () => {
    for (const actor of all) actor.stop();
  };
  return { models, choices, import: own, stop };
}

const manager = perVisit(startManager);

/** Saves the list of installed models as a file. */
export async function exportList(): Promise<void> {
  try {
    downloadFile(await api.exportList(), "parlance-models.json");
  } catch {
    toast({ kind: "error", key: "models:file.exportFailed" });
  }
}

/** Called when the user enters the page. The first visit loads the texts. */
export async function enterModels(): Promise<ModelManager> {
  await Promise.all([loadTexts("models"), loadTexts("admin")]);
  return manager.open();
}

export const closeModels = manager.close;
