import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { insightsMachine } from "#machines/insights/machine.ts";
import { templatesMachine } from "#machines/insights/templates.ts";
import { waitOf } from "#src/api/http.ts";
import { createInsightsApi, createTemplatesApi } from "#src/api/insights.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall, ownSend } from "#src/features/session/api.ts";
import { perRecord } from "#src/features/session/per-owner.ts";

const api = createInsightsApi(ownCall, ownSend);
const templatesApi = createTemplatesApi(ownCall);

const insights = insightsMachine.provide({
  actors: {
    load: fromPromise(({ input, signal }) => api.list(input.id, signal)),
    make: fromCallback(({ input, sendBack }) => {
      const called = new AbortController();
      api.make(input.id, input.request, called.signal, sendBack).catch((error: unknown) => {
        if (!called.signal.aborted) sendBack({ type: "making.failed", code: codeOf(error), ...waitOf(error) });
      });
      return () => called.abort();
    }),
    save: fromPromise(async ({ input: { id, insight, change }, signal }) => {
      if (change !== null) return api.changeTask(id, insight, change, signal);
      await api.remove(id, insight, signal);
      return null;
    }),
  },
});

const templates = templatesMachine.provide({
  actors: {
    load: fromPromise(({ signal }) => templatesApi.list(signal)),
    save: fromPromise(({ input, signal }) => {
      if (input.type === "default") return templatesApi.setDefault(input.folderId, { template: input.template }, signal);
      const { id, draft } = input;
      if (draft === null) return templatesApi.remove(id ?? "", signal);
      return id === null ? templatesApi.add(draft, signal) : templatesApi.replace(id, draft, signal);
    }),
  },
});

export interface OpenInsights {
  actor: ActorRefFrom<typeof insightsMachine>;
  templates: ActorRefFrom<typeof templatesMachine>;
}

/** The insights of the open page's transcript. Leaving the page stops the running generation. */
export const openInsights = perRecord(create, ({ actor, templates }) => {
  actor.stop();
  templates.stop();
});

function create(id: string): OpenInsights {
  const actor = createActor(insights, { ...inspected(), input: { id } });
  actor.on("change.failed", ({ code }) => toast({ kind: "error", key: `errors.${code}` }));
  return { actor: actor.start(), templates: createActor(templates, inspected()).start() };
}
